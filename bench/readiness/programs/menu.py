"""An arrow-key menu: raw keys, redrawn by moving the cursor up."""
import sys, termios, tty
items, at = ['alpha', 'beta', 'gamma'], 0
saved = termios.tcgetattr(0)
try:
    tty.setcbreak(0)
    sys.stdout.write('\x1b[?25lPick one\r\n')
    while True:
        for i, item in enumerate(items):
            sys.stdout.write(('> ' if i == at else '  ') + item + '\x1b[K\r\n')
        sys.stdout.flush()
        key = sys.stdin.read(1)
        if key == '\n': break
        at = (at + 1) % len(items)
        sys.stdout.write('\x1b[%dA' % len(items))
finally:
    sys.stdout.write('\x1b[?25h')
    termios.tcsetattr(0, termios.TCSADRAIN, saved)
