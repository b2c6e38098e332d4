"""A progress bar, then a last line."""
import sys, time
for i in range(31):
    sys.stdout.write('\r[%-30s] %3d%%' % ('#' * i, i * 100 // 30)); sys.stdout.flush(); time.sleep(0.05)
print('\nDONE')
