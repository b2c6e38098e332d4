import curses


def main(screen):
    curses.curs_set(0)
    chosen = 0
    while True:
        screen.erase()
        screen.addstr(0, 0, "curses menu", curses.A_BOLD)
        for index, name in enumerate(["red", "green", "blue"]):
            screen.addstr(2 + index, 2, name, curses.A_REVERSE if index == chosen else 0)
        screen.refresh()
        key = screen.getch()
        if key == curses.KEY_DOWN:
            chosen = min(2, chosen + 1)
        elif key == curses.KEY_UP:
            chosen = max(0, chosen - 1)
        elif key == 27:
            return "escaped"
        elif key in (10, 13):
            return ["red", "green", "blue"][chosen]


print("result:", curses.wrapper(main))
