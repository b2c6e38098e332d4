"""Waits for a line in the main thread while others compute and print."""
import threading, time
def work():
    while True:
        sum(range(20000)); time.sleep(0.05)
for _ in range(3): threading.Thread(target=work, daemon=True).start()
print('started')
name = input('name? ')
print('hello', name)
