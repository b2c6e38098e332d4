import type { SendResult } from '@agent-terminals/terminal'
import { describe, expect, it } from 'vitest'
import { composeText } from '../../src/result/compose.js'
import { type SendContext, sendFacts } from '../../src/result/send.js'

const settled = (changes: Partial<SendResult>, text = ''): SendResult => ({
  viewport: { text, omittedLines: 0, omittedBytes: 0 },
  waitReason: 'stdin_read',
  sessionStatus: { kind: 'running' },
  truncated: false,
  state: 'prompt',
  promptDetection: 'active',
  elapsedMs: 12,
  notes: [],
  ...changes,
})

const context: SendContext = { canRunInBackground: true, isClaimedByClient: false, previousCwd: '/src' }
const render = (result: SendResult, changes: Partial<SendContext> = {}) =>
  composeText(result.viewport.text, sendFacts(result, { ...context, ...changes }), 4096).text

describe('the text of a send', () => {
  const table: [title: string, result: SendResult, expected: string][] = [
    ['is the output alone when a command succeeds', settled({ exitCode: 0, cwd: '/src' }, 'ok\n'), 'ok\n'],
    ['says that a silent command succeeded', settled({ exitCode: 0 }), '[exit 0, no output]'],
    ['says that there was no output when no command ended', settled({}), '[no output]'],
    ['adds a bad exit code', settled({ exitCode: 7 }, 'no such file\n'), 'no such file\n[exit 7]'],
    [
      'adds the time a failing command took, and the signal its code stands for',
      settled({ exitCode: 130, durationMs: 2150 }, 'a\n'),
      'a\n[exit 130 after 2.1 s, as after SIGINT]',
    ],
    ['names a changed directory', settled({ exitCode: 0, cwd: '/tmp' }), '[exit 0, no output]\n[cwd /tmp]'],
    [
      'says that a program waits for a line',
      settled({ state: 'line', foreground: 'python3' }, 'name? '),
      'name? \n[stdin_read: python3 waits for a line of input]',
    ],
    [
      'leaves hidden input to a person',
      settled({ state: 'hidden', foreground: 'ssh' }, 'Password: '),
      'Password: \n[stdin_read: ssh waits for hidden input such as a password; let a person type it into this terminal, do not ask for it or send it; terminal_signal SIGINT gives it up]',
    ],
    [
      'tells how to answer a menu',
      settled({ state: 'key', foreground: 'less' }, ':'),
      ':\n[stdin_read: less waits for a single key; send it with submit false (q leaves most pagers and menus)]',
    ],
    [
      'tells how to leave a full-screen program',
      settled({ state: 'fullscreen', foreground: 'vim' }, '~'),
      '~\n[stdin_read: vim has the whole screen; leave it with text "\\u001b:q!" before going on]',
    ],
    [
      'asks for the rest of an unfinished command',
      settled({ state: 'continuation' }, '> '),
      '> \n[stdin_read: the shell waits for the rest of an unfinished command; send the rest, or drop it with terminal_signal SIGINT]',
    ],
    [
      'says what to do while a program is busy',
      settled(
        { waitReason: 'timeout', state: 'busy', foreground: 'make', elapsedMs: 30_000, quietMs: 12_300 },
        'cc a.c\n',
      ),
      'cc a.c\n[timeout: make is still running after 30.0 s, silent for 12.3 s; wait on with text "" and submit false, look with terminal_read, or stop it with terminal_signal SIGINT; long work is better started with run_in_background]',
    ],
    [
      'says since when only one line is redrawn',
      settled({ waitReason: 'timeout', state: 'busy', elapsedMs: 30_000, redrawingMs: 10_000 }, '|'),
      '|\n[timeout: the program is still running after 30.0 s, for 10.0 s only redrawing one line; wait on with text "" and submit false, look with terminal_read, or stop it with terminal_signal SIGINT; long work is better started with run_in_background]',
    ],
    [
      'calls silence a guess',
      settled({ waitReason: 'inferred_idle', state: 'quiet', foreground: 'node', quietMs: 3000 }, 'listening\n'),
      'listening\n[inferred_idle: node is alive but has been silent for 3.0 s and reads no input; perhaps it serves, waits or computes (inferred from silence, not proven); wait on with text "" and submit false, look with terminal_read, or stop it with terminal_signal SIGINT]',
    ],
    [
      'calls an inferred prompt a guess',
      settled({ waitReason: 'inferred_idle' }, 'x\n'),
      'x\n[inferred_idle: the shell seems to be at its prompt (inferred from silence, not proven)]',
    ],
    [
      'tells how to go on with a stopped program',
      settled({ state: 'stopped', exitCode: 148 }, '[1]+ Stopped\n'),
      '[1]+ Stopped\n[exit 148]\n[stdin_read: the program is stopped; send "fg" to resume it or "kill %1" to end it]',
    ],
    [
      'gives the code with which the terminal ended',
      settled({ waitReason: 'session_exit', state: 'ended', sessionStatus: { kind: 'exited', exitCode: 3 } }, 'exit\n'),
      'exit\n[session_exit: the terminal has ended (exit 3); open another with terminal_open]',
    ],
    [
      'gives the signal with which the terminal ended',
      settled({ waitReason: 'session_exit', state: 'ended', sessionStatus: { kind: 'signalled', signal: 'SIGHUP' } }),
      '[session_exit: the terminal has ended (ended by SIGHUP); open another with terminal_open]',
    ],
    [
      'counts what was left out and where to read it',
      settled({ truncated: true, viewport: { text: 'a\nz\n', omittedLines: 1, omittedBytes: 900 }, exitCode: 0 }),
      'a\nz\n[1 line, 900 bytes of output left out; terminal_read pages through what is retained]',
    ],
    [
      'counts what was left out of one long line',
      settled({ truncated: true, viewport: { text: 'az', omittedLines: 0, omittedBytes: 900 }, exitCode: 0 }),
      'az\n[900 bytes of output left out; terminal_read pages through what is retained]',
    ],
    [
      'says that something was left out where nobody counted it',
      settled({ truncated: true, exitCode: 0 }, 'x\n'),
      'x\n[some output left out; terminal_read pages through what is retained]',
    ],
    [
      'says that the shell is at its prompt with the output that was waited for',
      settled({ waitReason: 'output_match', matched: 'ready' }, 'ready\n'),
      'ready\n[output_match: "ready"; the shell is at its prompt]',
    ],
    [
      'counts what came while nobody waited for it',
      settled({ unseen: { lines: 1 }, exitCode: 0 }, 'x\n'),
      'x\n[since the last send: 1 line of output, terminal_read shows it]',
    ],
    [
      'counts input that the program has not taken',
      settled({ waitReason: 'timeout', state: 'prompt', pendingInputBytes: 12 }, 'x\n'),
      'x\n[timeout: the shell is at its prompt]\n[12 bytes of the input not taken yet; the program will get them when it reads]',
    ],
    [
      'says that prompt detection is lost',
      settled({ promptDetection: 'lost', state: 'line', foreground: 'sh' }, '$ '),
      '$ \n[stdin_read: sh waits for a line of input]\n[prompt detection lost: exit codes and cwd are unknown until the first shell of this terminal is back]',
    ],
    [
      'tells what a command did while nobody waited for it',
      settled({ unseen: { lines: 2, exitCode: 1, durationMs: 5200 } }),
      '[since the last send: exit 1 after 5.2 s; 2 lines of output, terminal_read shows them]',
    ],
    [
      'tells of a command that ended without a word while nobody waited for it',
      settled({ unseen: { lines: 0, durationMs: 20 }, exitCode: 0 }, 'x\n'),
      'x\n[since the last send: the command has ended]',
    ],
    [
      'leaves lines that a full-screen program draws to the screen',
      settled({ state: 'fullscreen', foreground: 'top', unseen: { lines: 90 } }),
      '[stdin_read: top has the whole screen; leave it with text "q" and submit false before going on]',
    ],
    [
      'passes notes on',
      settled({ notes: ['the paste end was\x1b[0m neutralised'] }, 'x\n'),
      'x\n[the paste end was neutralised]',
    ],
  ]
  it.each(table)('%s', (_title, result, expected) => {
    expect(render(result)).toBe(expected)
  })

  it('says that a person has taken the keyboard', () => {
    expect(render(settled({ exitCode: 0 }, 'x\n'), { isClaimedByClient: true })).toBe(
      'x\n[a person has taken the keyboard; you can read and list, and send again once it is given back]',
    )
  })

  it('recommends no jobs where there are none', () => {
    const busy = settled({ waitReason: 'timeout', state: 'busy', elapsedMs: 2000 })
    expect(render(busy, { canRunInBackground: false })).not.toContain('run_in_background')
  })
})
