"""Raw mode, and never reads."""
import sys, time, tty
tty.setraw(0)
print('up\r', flush=True)
time.sleep(600)
