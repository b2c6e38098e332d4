/** What works in a confined terminal as it does in any other, in every runner and mode. */
import type { SendResult } from '@agent-terminals/terminal'
import { readProcesses, useBaseline } from '@agent-terminals/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildConfinedHouse,
  CONFINEMENTS,
  type ConfinedHouse,
  RUNNERS,
  type RunnerName,
} from '../support/confined-house.js'
import type { Terminal } from '../support/shell-host.js'
import { SITUATIONS } from '../support/situations.js'

useBaseline()

const verdictOf = ({ waitReason, state }: SendResult) => `${waitReason}/${state}`
const keys = (terminal: Terminal, text: string) => terminal.send(text, { submit: false })
const wait = (terminal: Terminal) => keys(terminal, '')
/** Leaves a program running in the foreground. */
const startProgram = (terminal: Terminal, text: string) => terminal.send(text, { timeoutMs: 300 })

describe.each(CONFINEMENTS)('in $runner, $mode', ({ runner, mode }) => {
  let house: ConfinedHouse
  beforeAll(async () => {
    house = await buildConfinedHouse({ runner, mode, shell: { idleSilenceMs: 1_000 } })
  })
  afterAll(() => house.close())

  async function withTerminal(use: (terminal: Terminal) => Promise<void>): Promise<void> {
    const terminal = await house.open()
    await use(terminal)
    await terminal.close()
  }

  it('the terminal tells where files can be written, and they can be', () =>
    withTerminal(async (terminal) => {
      const { confinement } = terminal.opened
      const { temporaryDirectory = '' } = confinement ?? {}
      const writable = mode === 'workspace-write' ? [house.workspace] : []
      expect(confinement).toEqual({ mode, writable, temporaryDirectory, network: 'allow' })
      const tryTo = (directory: string) => terminal.send(`echo written > '${directory}/tried'`)
      for (const directory of [...writable, temporaryDirectory]) expect((await tryTo(directory)).exitCode).toBe(0)
      if (mode === 'read-only') expect((await tryTo(house.workspace)).exitCode).not.toBe(0)
    }))

  it('jobs run in the background, are listed and killed', () =>
    withTerminal(async (terminal) => {
      expect((await terminal.send('sleep 100 &')).viewport.text).toMatch(/^\[1\] \d+\n$/)
      expect((await terminal.send('jobs')).viewport.text).toMatch(/^\[1\]\+ {2}Running {2,}sleep 100 &\n$/)
      expect((await terminal.send('kill %1; wait %1 2>/dev/null; echo $?')).viewport.text).toContain('143\n')
      expect((await terminal.send('jobs')).viewport.text).toBe('')
    }))

  it('the foreground program is stopped, continued in the background, and brought back', () =>
    withTerminal(async (terminal) => {
      await startProgram(terminal, 'sleep 100')
      expect(verdictOf(await keys(terminal, '\x1a'))).toBe('stdin_read/stopped')
      expect((await terminal.send('bg; jobs')).viewport.text).toContain('Running')
      const front = await startProgram(terminal, 'fg')
      expect(front).toMatchObject({ state: 'busy', foreground: 'sleep' })
      expect(await keys(terminal, '\x03')).toMatchObject({ state: 'prompt', exitCode: 130 })
    }))

  it('programs find a terminal on their three descriptors and by its name', () =>
    withTerminal(async (terminal) => {
      const program = 'import os; print([os.isatty(fd) for fd in (0, 1, 2)], os.isatty(os.open("/dev/tty", os.O_RDWR)))'
      expect((await terminal.send(`python3 -c '${program}'`)).viewport.text).toBe('[True, True, True] True\n')
      expect((await terminal.send('tty')).viewport.text).toMatch(/^\/dev\/(console|pts\/\d+)\n$/)
      expect((await terminal.send('echo named > "$(tty)"')).viewport.text).toBe('named\n')
    }))

  it('programs open terminals of their own', () =>
    withTerminal(async (terminal) => {
      expect((await terminal.send('script -qc tty /dev/null')).viewport.text).toMatch(/^\/dev\/pts\/\d+\n$/)
      const detached = await terminal.send(
        'tmux -L inner new-session -d "tty > $TMPDIR/tty; tmux -L inner wait-for -S up; sleep 100"; ' +
          'tmux -L inner wait-for up; cat $TMPDIR/tty; tmux -L inner list-sessions | wc -l; tmux -L inner kill-server',
      )
      expect(detached.viewport.text).toMatch(/^\/dev\/pts\/\d+\n1\n$/)
    }))

  it('a multiplexer shows its screen and is left again', () =>
    withTerminal(async (terminal) => {
      expect((await terminal.send('tmux -L front new-session "cat"')).foreground).toContain('tmux')
      const left = await keys(terminal, '\x04')
      expect(left).toMatchObject({ state: 'prompt', exitCode: 0 })
      expect(left.viewport.text).toContain('[exited]')
    }))

  it('a key generator asks for its passphrase on the terminal', () =>
    withTerminal(async (terminal) => {
      const asked = await terminal.send('ssh-keygen -q -t ed25519 -f "$TMPDIR/key"')
      expect(verdictOf(asked)).toBe('stdin_read/hidden')
      expect(verdictOf(await terminal.send('open sesame'))).toBe('stdin_read/hidden')
      expect(await terminal.send('open sesame')).toMatchObject({ state: 'prompt', exitCode: 0 })
      expect((await terminal.send('ls "$TMPDIR"')).viewport.text).toContain('key.pub')
    }))

  it('programs that take lines at a prompt of theirs answer', () =>
    withTerminal(async (terminal) => {
      expect((await terminal.send('python3 -q')).viewport.text).toBe('>>> ')
      const answer = await terminal.send('6 * 7')
      expect([verdictOf(answer), answer.viewport.text]).toEqual(['stdin_read/line', '42\n>>> '])
      expect((await terminal.send('exit()')).state).toBe('prompt')
      expect(verdictOf(await terminal.send('NODE_REPL_HISTORY= node'))).toBe('stdin_read/line')
      expect((await terminal.send('6 * 7')).viewport.text).toMatch(/42\n> $/)
      expect((await terminal.send('.exit')).state).toBe('prompt')
    }))

  it('a program that reads its standard input waits for lines, and a cancelled send ends it', () =>
    withTerminal(async (terminal) => {
      expect(verdictOf(await terminal.send('cat /dev/stdin'))).toBe('stdin_read/line')
      expect((await terminal.send('abc')).viewport.text).toBe('abc\n')
      expect(await keys(terminal, '\x04')).toMatchObject({ state: 'prompt', exitCode: 0 })

      const abort = new AbortController()
      const send = terminal.start('cat /dev/stdin; sleep 100', { signal: abort.signal })
      abort.abort('enough')
      expect(await send.outcome).toMatchObject({ kind: 'cancelled', reason: 'enough' })
      expect(await terminal.send('echo back')).toMatchObject({ state: 'prompt', viewport: { text: 'back\n' } })
    }))

  it('signals reach the foreground program, raw or not, and never kill the shell', () =>
    withTerminal(async (terminal) => {
      await terminal.send('cat')
      await terminal.signal('SIGINT')
      expect(await wait(terminal)).toMatchObject({ state: 'prompt' })

      await terminal.send(
        `python3 -c 'import sys, tty; tty.setraw(0)\ntry: sys.stdin.read()\nexcept KeyboardInterrupt: sys.exit(3)'`,
      )
      await terminal.signal('SIGINT')
      expect((await wait(terminal)).state).toBe('prompt')
      expect((await terminal.send('stty sane; echo $?')).state).toBe('prompt')

      await startProgram(terminal, 'sleep 100')
      await terminal.signal('SIGTSTP')
      expect((await wait(terminal)).state).toMatch(/stopped|prompt/)
      await startProgram(terminal, 'fg')
      await terminal.signal('SIGKILL')
      expect((await wait(terminal)).state).toBe('prompt')

      await expect(terminal.signal('SIGKILL')).rejects.toMatchObject({ code: 'SIGNAL_REFUSED' })
      expect((await terminal.send('echo alive')).viewport.text).toBe('alive\n')
    }))

  it('the shell is told apart from its programs, under the number that the machine knows it by', () =>
    withTerminal(async (terminal) => {
      expect(terminal.summary.foreground).toBeUndefined()
      expect(readProcesses().find(({ pid }) => pid === terminal.opened.pid)?.command).toBe('bash')
      await startProgram(terminal, 'sleep 100')
      expect(terminal.summary).toMatchObject({ pid: terminal.opened.pid, foreground: 'sleep' })
      await keys(terminal, '\x03')
      expect(terminal.summary.foreground).toBeUndefined()
    }))

  it('a terminal knows when what is typed is a secret', () =>
    withTerminal(async (terminal) => {
      const takesSecret = () => house.ctx.terminals.takesSecret(house.agent, terminal.opened.sessionId)
      expect(await takesSecret()).toBe(false)
      await terminal.send('read -rs x')
      expect(await takesSecret()).toBe(true)
      await terminal.send('sesame')
      expect(await takesSecret()).toBe(false)
      await terminal.send('cat')
      expect(await takesSecret()).toBe(false)
      await keys(terminal, '\x03')
      expect(terminal.read({ lines: 1_000 }).text).not.toContain('sesame')
    }))

  it('prompt marks and every source of evidence are there', () =>
    withTerminal(async (terminal) => {
      expect(terminal.opened).toMatchObject({
        promptDetection: 'active',
        evidence: ['prompt-marks', 'foreground-group', 'tty-waits', 'attributes'],
      })
    }))

  it('an exit code is the shell’s, and its last output is complete', () =>
    withTerminal(async (terminal) => {
      const result = await terminal.send('seq 1 20000; exit 7')
      expect(result).toMatchObject({ waitReason: 'session_exit', sessionStatus: { kind: 'exited', exitCode: 7 } })
      expect(terminal.read({ lines: 1_000 }).text).toContain('\n20000\n')
    }))

  it('a shell that is killed is reported, as a signal where the runner passes it on', () =>
    withTerminal(async (terminal) => {
      const { sessionStatus } = await terminal.send('kill -KILL $$')
      expect(sessionStatus).toEqual(
        runner === 'bwrap' ? { kind: 'exited', exitCode: 137 } : { kind: 'signalled', signal: 'SIGKILL' },
      )
    }))
})

describe.each(RUNNERS)('a situation in %s', (runner: RunnerName) => {
  let house: ConfinedHouse
  beforeAll(async () => {
    house = await buildConfinedHouse({ runner, shell: { idleSilenceMs: 1_000 } })
  })
  afterAll(() => house.close())

  it.each(SITUATIONS)(
    'is judged as everywhere: $name',
    async ({ before = [], send, verdict, text, shows, exitCode }) => {
      const terminal = await house.open()
      const run = (each: (typeof before)[number]) =>
        typeof each === 'string' ? terminal.send(each) : terminal.send(each.text ?? '', each)
      for (const each of before) await run(each)
      const result = await run(send)
      expect(verdictOf(result), result.viewport.text).toBe(verdict)
      if (text !== undefined) expect(result.viewport.text).toBe(text)
      if (shows !== undefined) expect(result.viewport.text).toContain(shows)
      if (exitCode !== undefined) expect(result.exitCode).toBe(exitCode)
      await terminal.close()
    },
  )
})
