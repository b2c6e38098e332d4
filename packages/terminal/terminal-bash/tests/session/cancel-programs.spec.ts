import { existsSync } from 'node:fs'
import { isAlive, listDescendants, useBaseline } from '@agent-terminals/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ShellHost, startShellHost, type Terminal } from '../support/shell-host.js'

useBaseline()

const python = (...lines: readonly string[]) => `python3 -c '${lines.join('\n')}'`

/** Programs as they come, each printing GO on a line of its own once it is as described, and how far the ladder must go. */
const PROGRAMS = [
  {
    what: 'a python that ignores SIGINT',
    text: python(
      'import signal, time',
      'signal.signal(signal.SIGINT, signal.SIG_IGN)',
      'print("GO", flush=True); time.sleep(60)',
    ),
    delivered: 'SIGTERM',
  },
  {
    what: 'a python that takes every interrupt and goes on',
    text: python(
      'import signal, time',
      'signal.signal(signal.SIGINT, lambda *_: None)',
      'print("GO", flush=True)',
      'while True: time.sleep(60)',
    ),
    delivered: 'SIGTERM',
  },
  {
    what: 'a python that ignores all but SIGKILL',
    text: python(
      'import signal, time',
      'for s in (1, 2, 3, 15): signal.signal(s, signal.SIG_IGN)',
      'print("GO", flush=True); time.sleep(60)',
    ),
    delivered: 'SIGKILL',
  },
  {
    what: 'a raw-mode program that discards what it reads',
    text: python('import os, tty', 'tty.setraw(0)', 'print("\\r\\nGO\\r", flush=True)', 'while True: os.read(0, 100)'),
    delivered: 'SIGINT',
  },
  {
    what: 'a shell loop under trap "" INT',
    text: `bash -c 'trap "" INT; echo GO; while :; do sleep 0.02; done'`,
    delivered: 'SIGTERM',
  },
  { what: 'a pipeline', text: 'sh -c "echo GO; exec sleep 60" | cat | cat', delivered: 'SIGINT' },
  { what: 'a flood of output', text: 'echo GO; yes', delivered: 'SIGINT' },
] as const

describe('cancelling what real programs do', () => {
  let host: ShellHost
  let terminal: Terminal
  beforeAll(async () => {
    host = await startShellHost({ cancelGraceMs: 300 })
  })
  afterAll(() => host.close())
  beforeEach(async () => {
    terminal = await host.open()
  })
  afterEach(() => terminal.close())

  /** Cancel once the program has printed GO. */
  const cancel = async (text: string, token = 'GO') => {
    let seen = ''
    const reason = new Error('changed my mind')
    const send = terminal.start(text, {
      timeoutMs: 8_000,
      onOutput: (output) => {
        seen += output
        if (new RegExp(`(?:^|[\\r\\n])${token}\\r*\\n`).test(seen)) setImmediate(() => send.cancel(reason))
        if (seen.length > 100_000) seen = seen.slice(-100)
      },
    })
    const outcome = await send.outcome
    if (outcome.kind !== 'cancelled') throw new Error(`the send was ${outcome.kind} after ${JSON.stringify(seen)}`)
    expect(outcome.reason).toBe(reason)
    return outcome
  }

  const expectUsable = async () => {
    expect(await terminal.send('echo us""able')).toMatchObject({
      viewport: { text: 'usable\n' },
      waitReason: 'stdin_read',
      state: 'prompt',
      exitCode: 0,
    })
  }

  it.each(PROGRAMS)('ends $what by $delivered, says so, and the terminal goes on', async ({ text, delivered }) => {
    const outcome = await cancel(text)
    expect(outcome.interruption).toMatchObject({ delivered, targetPgid: expect.any(Number) })
    expect(outcome.viewport.text).toMatch(/^GO$/m)
    await expectUsable()
    expect(listDescendants(terminal.summary.pid)).toEqual([])
  })

  it('says that it failed when the shell itself lets nothing through, and the terminal can be closed', async () => {
    const outcome = await cancel(`trap '' INT; echo GO; while :; do :; done`)
    expect(outcome.interruption).toMatchObject({ delivered: 'failed' })
    expect(await terminal.outcome('', { submit: false, timeoutMs: 50 })).toMatchObject({
      kind: 'settled',
      result: { waitReason: 'timeout', state: 'busy' },
    })
    expect(await terminal.close()).toEqual({ killed: true })
    terminal = await host.open()
  })

  it('gives the keyboard back to a program that ignores the interrupt and reads, which a signal then ends', async () => {
    const outcome = await cancel(
      python(
        'import os, signal, time, tty',
        'tty.setraw(0); signal.signal(signal.SIGINT, signal.SIG_IGN)',
        'print("\\r\\nGO\\r", flush=True); time.sleep(0.2)',
        'while True: os.read(0, 100)',
      ),
    )
    expect(outcome.interruption).toMatchObject({ delivered: 'SIGINT' })
    expect(await terminal.send('x', { submit: false })).toMatchObject({ state: 'key', foreground: 'python3' })
    await terminal.signal('SIGTERM')
    await terminal.send('', { submit: false })
    await expectUsable()
  })

  it.skipIf(!existsSync('/usr/bin/less'))(
    'leaves a pager in charge, which its own key ends (B044, needs less)',
    async () => {
      const page = await terminal.send('seq 9999 | less')
      expect(['key', 'fullscreen']).toContain(page.state)
      const { targetPgid } = await terminal.signal('SIGINT')
      expect(targetPgid).not.toBe(terminal.summary.pid)
      expect(await terminal.send('', { submit: false })).toMatchObject({ state: page.state, foreground: 'less' })
      await terminal.send('q', { submit: false })
      await expectUsable()
    },
  )

  const halfStopped = python(
    'import os, signal, subprocess',
    'child = subprocess.Popen(["sleep", "60"]); os.kill(child.pid, signal.SIGSTOP)',
    'print("GO", flush=True); child.wait()',
  )

  it('shows a stopped program in the foreground as such, and a signal continues and ends it (B046)', async () => {
    expect(await terminal.send(halfStopped)).toMatchObject({ state: 'stopped', sessionStatus: { kind: 'running' } })
    await terminal.signal('SIGINT')
    expect(await terminal.send('', { submit: false })).toMatchObject({ state: 'prompt' })
    expect(listDescendants(terminal.summary.pid)).toEqual([])
    await expectUsable()
  })

  it('closes with a stopped program in the foreground (B046)', async () => {
    await terminal.send(halfStopped)
    const members = listDescendants(terminal.summary.pid).map(({ pid }) => pid)
    expect(members.length).toBeGreaterThan(1)
    expect(await terminal.close()).toEqual({ killed: true })
    expect(members.some(isAlive)).toBe(false)
    terminal = await host.open()
  })

  it('leaves the jobs in the background alone', async () => {
    await terminal.send('sleep 61 & sleep 62 &')
    const jobs = listDescendants(terminal.summary.pid).map(({ pid }) => pid)
    expect(jobs).toHaveLength(2)
    const outcome = await cancel('echo GO; sleep 60')
    expect(jobs).not.toContain(outcome.interruption.delivered === 'none' ? undefined : outcome.interruption.targetPgid)
    expect(jobs.every(isAlive)).toBe(true)
    await expectUsable()
  })

  it('never reaches the send that comes next', async () => {
    for (let round = 0; round < 15; round++) {
      await cancel(
        round % 2
          ? 'echo GO; sleep 60'
          : `bash -c 'trap "sleep 0.02; exit" INT; echo GO; while :; do sleep 0.01; done'`,
      )
      const next = await terminal.send(`sleep 0.05; echo mine ${round}`)
      expect(next, JSON.stringify(next)).toMatchObject({
        viewport: { text: `mine ${round}\n` },
        exitCode: 0,
      })
    }
  })
})
