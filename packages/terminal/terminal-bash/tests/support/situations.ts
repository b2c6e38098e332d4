/** Situations at a terminal, with what a person would say; shared by the suites with and without kernel evidence. */
import type { SendRequest } from '@agent-terminals/terminal'

export interface Situation {
  readonly name: string
  readonly before?: readonly (string | Partial<SendRequest>)[]
  readonly send: string | Partial<SendRequest>
  /** `reason/state`. */
  readonly verdict: string
  /** The verdict where nothing can prove that a program waits for input. */
  readonly without?: string
  readonly shows?: string
  /** The whole viewport. */
  readonly text?: string
  readonly exitCode?: number
}

const keys = (text: string): Partial<SendRequest> => ({ text, submit: false })

export const SITUATIONS: readonly Situation[] = [
  { name: 'a command without output', send: 'true', verdict: 'stdin_read/prompt', text: '', exitCode: 0 },
  { name: 'a command with output', send: 'echo hi', verdict: 'stdin_read/prompt', text: 'hi\n', exitCode: 0 },
  { name: 'a failing command', send: 'sh -c "exit 7"', verdict: 'stdin_read/prompt', text: '', exitCode: 7 },
  { name: 'output that comes late', send: 'sleep 0.5; echo late', verdict: 'stdin_read/prompt', text: 'late\n' },
  { name: 'a syntax error', send: 'if )', verdict: 'stdin_read/prompt', shows: 'syntax error' },
  { name: 'a comment', send: '# nothing', verdict: 'stdin_read/prompt', text: '' },
  { name: 'Enter alone', send: '', verdict: 'stdin_read/prompt', text: '' },
  { name: 'waiting at the prompt', send: keys(''), verdict: 'stdin_read/prompt', text: '' },
  { name: 'text without Enter', send: keys('echo half'), verdict: 'stdin_read/prompt' },
  { name: 'several lines', send: 'echo a\nsleep 0.3\necho b', verdict: 'stdin_read/prompt', text: 'a\nb\n' },
  { name: 'a heredoc', send: 'cat <<EOF\nx\ty\nEOF', verdict: 'stdin_read/prompt', text: 'x\ty\n' },
  { name: 'an unfinished quote', send: 'echo "a', verdict: 'stdin_read/continuation', text: '' },
  { name: 'the end of it', before: ['echo "a'], send: 'b"', verdict: 'stdin_read/prompt', text: 'a\nb\n' },
  {
    name: 'a question of the shell',
    send: 'read -p "name? " x',
    verdict: 'stdin_read/line',
    without: 'inferred_idle/line',
    shows: 'name? ',
  },
  { name: 'its answer', before: ['read -p "name? " x'], send: 'bob', verdict: 'stdin_read/prompt', text: '' },
  {
    name: 'a secret of the shell',
    send: 'read -s -p "secret: " x',
    verdict: 'stdin_read/hidden',
    without: 'inferred_idle/hidden',
  },
  {
    name: 'a key of the shell',
    send: 'read -n1 -p "[y/n] " x',
    verdict: 'stdin_read/key',
    without: 'inferred_idle/key',
  },
  {
    name: 'a menu of the shell',
    send: 'select x in a b; do break; done',
    verdict: 'stdin_read/line',
    without: 'inferred_idle/line',
    shows: '#?',
  },
  { name: 'a background job', send: 'sleep 30 &', verdict: 'stdin_read/prompt', exitCode: 0 },
  {
    name: 'a job that was stopped',
    before: [{ text: 'sleep 30', timeoutMs: 200 }],
    send: keys('\x1a'),
    verdict: 'stdin_read/stopped',
  },
  { name: 'the end of the shell', send: 'exit 3', verdict: 'session_exit/ended', exitCode: 3 },
  {
    name: 'a program that takes lines',
    send: 'cat',
    verdict: 'stdin_read/line',
    without: 'inferred_idle/quiet',
    text: '',
  },
  {
    name: 'a pipeline that takes a line',
    send: 'head -1 | cat',
    verdict: 'stdin_read/line',
    without: 'inferred_idle/quiet',
    text: '',
  },
  {
    name: 'the Python prompt',
    send: 'python3 -q',
    verdict: 'stdin_read/line',
    without: 'inferred_idle/line',
    text: '>>> ',
  },
  {
    name: 'a Python expression',
    before: ['python3 -q'],
    send: 'print(6 * 7)',
    verdict: 'stdin_read/line',
    without: 'inferred_idle/line',
    text: '42\n>>> ',
  },
  {
    name: 'a slow Python line',
    before: ['python3 -q'],
    send: 'import time; time.sleep(0.3); print("late")',
    verdict: 'stdin_read/line',
    without: 'inferred_idle/line',
    text: 'late\n>>> ',
  },
  {
    name: 'a Python question',
    before: ['python3 -q'],
    send: 'x = input("name: ")',
    verdict: 'stdin_read/line',
    without: 'inferred_idle/key',
    shows: 'name: ',
  },
  {
    name: 'a Python secret',
    before: ['python3 -q'],
    send: 'import getpass; x = getpass.getpass()',
    verdict: 'stdin_read/hidden',
    without: 'inferred_idle/hidden',
    shows: 'Password',
  },
  { name: 'a pager', send: 'seq 1 300 | less', verdict: 'stdin_read/fullscreen', without: 'inferred_idle/fullscreen' },
  {
    name: 'a sleeping program',
    send: { text: 'sleep 30', timeoutMs: 5_000 },
    verdict: 'timeout/busy',
    without: 'inferred_idle/quiet',
    text: '',
  },
  {
    name: 'a loop of builtins',
    send: { text: 'while :; do :; done', timeoutMs: 5_000 },
    verdict: 'timeout/busy',
    without: 'inferred_idle/quiet',
  },
  {
    name: 'a server',
    send: 'python3 -c \'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(); print("up", flush=True); s.accept()\'',
    verdict: 'inferred_idle/quiet',
    shows: 'up',
  },
]
