import { useBaseline, waitUntil } from '@agent-terminals/testing'
import { describe, expect, it } from 'vitest'
import { parsePs } from '../../src/inspector/parse-ps.js'
import { runPsNow, systemPs } from '../../src/inspector/run-ps.js'
import { terminateTree } from '../../src/teardown/index.js'
import { PsSessionTable } from '../../src/teardown/ps-session-table.js'
import { startBash } from '../support/pty-program.js'

const LINES = [
  '100 50 100 200 Ss 0:00.05 Sun Nov 29 20:26:24 2026 ttys003 /bin/bash',
  '200 100 200 200 S+ 0:00.05 Sun Nov 29 20:26:25 2026 ttys003 /bin/sleep',
  '201 200 200 200 Z+ 0:00.05 Sun Nov 29 20:26:25 2026 ttys003 (sleep)',
  '300 1 300 0 Ss 0:00.05 Sun Nov 29 20:26:26 2026 ?? /usr/sbin/daemon',
]

function openTable(answer: (args: readonly string[]) => string) {
  const killed: unknown[] = []
  const table = new PsSessionTable(
    async (args) => answer(args),
    (pid, signal) => killed.push([pid, signal]),
  )
  return { table, killed }
}

describe('the process table over ps', () => {
  it('lists every process with what membership needs', async () => {
    const { rows, vanished } = await openTable(() => LINES.join('\n')).table.scan()
    expect(vanished).toEqual([])
    expect(rows).toMatchObject([
      { pid: 100, parentPid: 50, sessionId: 100, tty: 'ttys003', isZombie: false, command: 'bash' },
      { pid: 200, sessionId: 0, tty: 'ttys003' },
      { pid: 201, isZombie: true },
      { pid: 300, tty: '' },
    ])
  })

  it('asks for no tags of nobody', async () => {
    const { table } = openTable(() => {
      throw new Error('ps was asked')
    })
    expect(await table.readTagged([], 'A=b')).toEqual(new Map())
  })

  it('descends from the given processes', async () => {
    const rows = await openTable(() => LINES.join('\n')).table.descend([200, 999])
    expect(rows.map((row) => row.pid)).toEqual([200, 201])
  })

  it('finds a tag among the variables that ps shows after the command', async () => {
    const shown = ' 200 sleep 999 PATH=/bin TAG=abc TERM=dumb\n 201 sleep TAG=abcd\n 300 daemon --flag\n'
    const { table } = openTable((args) => (args.includes('-E') ? shown : ''))
    expect(await table.readTagged([200, 201, 300, 301], 'TAG=abc')).toEqual(
      new Map([
        [200, true],
        [201, false],
        [300, false],
      ]),
    )
  })

  it('signals a process only under the start time that it was named by', async () => {
    const { table, killed } = openTable((args) => (args.includes('200') ? (LINES[1] ?? '') : ''))
    const startTime = 'Sun Nov 29 20:26:25 2026'
    expect(await table.signal({ pid: 200, startTime }, 'SIGHUP')).toBe('sent')
    expect(await table.signal({ pid: 200, startTime: 'Sun Nov 29 20:26:24 2026' }, 'SIGHUP')).toBe('gone')
    expect(await table.signal({ pid: 201, startTime }, 'SIGHUP')).toBe('gone')
    expect(await table.signal({ pid: 1, startTime }, 'SIGHUP')).toBe('refused')
    expect(await table.signal({ pid: process.pid, startTime }, 'SIGHUP')).toBe('refused')
    expect(killed).toEqual([[200, 'SIGHUP']])
  })
})

describe('ending a real session over ps', () => {
  useBaseline()

  it('ends the shell and its children, foreground and background', async () => {
    const bash = await startBash()
    bash.write('sleep 999 & sleep 998 & cat\r')
    const list = () =>
      parsePs(runPsNow(['-t', bash.ttyPath.replace('/dev/', '')])).filter(({ state }) => state[0] !== 'Z')
    await waitUntil('all are running', () => list().length === 4)
    const [root] = parsePs(runPsNow(['-p', String(bash.pid)]))
    if (root === undefined) throw new Error('ps does not list the shell')
    const table = new PsSessionTable(systemPs, (pid, signal) => void process.kill(pid, signal))
    expect(await terminateTree({ root, tag: 'none', graceMs: 5000, table })).toEqual({ ended: 3, forced: false })
    await bash.exited
    expect(list()).toEqual([])
  })
})
