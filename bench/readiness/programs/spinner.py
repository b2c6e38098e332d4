"""A spinner that redraws one line while it waits for a lock."""
import sys, time
for i in range(100000):
    sys.stdout.write('\r' + '|/-\\'[i % 4] + ' waiting for the lock'); sys.stdout.flush(); time.sleep(0.1)
