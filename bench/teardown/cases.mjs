/**
 * What a terminal can be full of when it is closed. Each command prints GO once everything is in place; the word is
 * split so that its echo does not count. `limit` says which of the three bounds applies.
 */
const python = (...lines) => `python3 -c '${lines.join('\n')}'`
const ignoring = ['import os, signal, time', 'for s in (1, 2, 15): signal.signal(s, signal.SIG_IGN)']

export const teardownCases = [
  { case: 'idle shell', command: '', limit: 'idle' },
  { case: 'foreground child', command: 'bash -c "echo G""O; exec sleep 999"', limit: 'cooperative' },
  { case: 'stopped child', command: 'sleep 999 & kill -STOP $!; echo G""O', limit: 'cooperative' },
  { case: 'background pipeline', command: 'sleep 999 | cat | cat & echo G""O', limit: 'cooperative' },
  { case: 'nohup', command: 'nohup sleep 999 >/dev/null 2>&1 & echo G""O', limit: 'cooperative' },
  { case: 'disown', command: 'sleep 999 & disown; echo G""O', limit: 'cooperative' },
  { case: 'setsid', command: 'setsid sleep 999 & sleep 0.05; echo G""O', limit: 'cooperative' },
  { case: 'child in another process group', command: 'set -m; sleep 999 & echo G""O', limit: 'cooperative' },
  { case: 'child without our variables', command: 'env -i sleep 999 & echo G""O', limit: 'cooperative' },
  {
    case: 'double-forked daemon',
    command: `${python(
      'import os, time',
      'if os.fork(): os._exit(0)',
      'os.setsid()',
      'if os.fork(): os._exit(0)',
      'time.sleep(999)',
    )}; sleep 0.1; echo G""O`,
    limit: 'cooperative',
  },
  {
    case: 'daemon that closed its descriptors',
    command: `${python(
      'import os, time',
      'if os.fork(): os._exit(0)',
      'os.setsid()',
      'if os.fork(): os._exit(0)',
      'os.closerange(0, 64); time.sleep(999)',
    )}; sleep 0.1; echo G""O`,
    limit: 'cooperative',
  },
  {
    case: 'child that holds the terminal',
    command: `(trap '' HUP; exec sleep 999 </dev/tty >/dev/tty 2>&1) & echo G""O`,
    limit: 'cooperative',
  },
  { case: 'shell that loops', command: 'while :; do sleep 0.01; echo G""O; done', limit: 'cooperative' },
  {
    case: '200 children',
    command: 'for i in $(seq 200); do sleep 999 & done 2>/dev/null; echo G""O',
    limit: 'cooperative',
  },
  {
    case: 'fork loop, one child every 10 ms',
    command: 'for i in $(seq 300); do sleep 999 & echo G""O; sleep 0.01; done',
    limit: 'cooperative',
  },
  {
    case: 'child that ignores SIGTERM',
    command: python(...ignoring, 'print("G" + "O", flush=True); time.sleep(999)'),
    limit: 'forced',
  },
  {
    case: 'fork loop that ignores SIGTERM',
    command: python(
      ...ignoring,
      'end = time.time() + 3; print("G" + "O", flush=True)',
      'while time.time() < end:',
      ' if os.fork() == 0: time.sleep(999)',
      ' time.sleep(0.01)',
    ),
    limit: 'forced',
  },
]
