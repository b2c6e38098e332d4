"""Prints what the integration's marks look like, with a nonce of its own."""
import sys
for kind in ('prompt-start;0;1', 'prompt-end', 'command-end;0', 'exiting;0'):
    sys.stdout.write('\x1b]6973;0123456789abcdef0123456789abcdef;' + kind + '\x07')
sys.stdout.write('$ '); sys.stdout.flush()
import time; time.sleep(1.2); print('LATE')
