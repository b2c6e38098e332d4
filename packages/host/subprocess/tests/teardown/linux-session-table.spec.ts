import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLinuxTable } from '../../src/inspector/index.js'
import { LinuxSessionTable } from '../../src/teardown/linux-session-table.js'
import { resolveMembership } from '../../src/teardown/membership.js'
import { FakeProc } from '../support/fake-proc.js'

let proc: FakeProc
beforeEach(() => {
  proc = new FakeProc()
})
afterEach(() => proc.destroy())

function openTable(failure?: string) {
  const killed: unknown[] = []
  let reads = 0
  const table = new LinuxSessionTable(createLinuxTable({ root: proc.root, onRead: () => reads++ }), (pid, signal) => {
    if (failure !== undefined) throw Object.assign(new Error(failure), { code: failure })
    killed.push([pid, signal])
  })
  return { table, killed, countReads: () => reads }
}

describe('the process table over procfs', () => {
  it('lists every process with what membership needs', async () => {
    proc.put({ pid: 100, command: 'bash', parentPid: 50, sessionId: 100, startTime: '7' })
    proc.put({ pid: 200, parentPid: 100, pgid: 200, sessionId: 100, state: 'Z' })
    expect((await openTable().table.scan(new Set())).rows).toEqual([
      {
        pid: 100,
        startTime: '7',
        parentPid: 50,
        pgid: 100,
        sessionId: 100,
        tty: '',
        isZombie: false,
        command: 'bash',
      },
      expect.objectContaining({ pid: 200, isZombie: true }),
    ])
  })

  it('takes equal device numbers for no sign of one terminal: each devpts counts its own', async () => {
    proc.put({ pid: 100, sessionId: 100 })
    proc.put({ pid: 200, sessionId: 200 })
    const { rows } = await openTable().table.scan(new Set())
    const facts = { rootLedSession: false, known: new Set<string>(), tagged: new Set<string>() }
    const root = { pid: 100, startTime: rows[0]?.startTime ?? '' }
    expect(resolveMembership(rows, { ...facts, root, protectedPids: new Set() })).toMatchObject({
      root: { pid: 100 },
      members: [],
    })
  })

  it('leaves out what need not be listed', async () => {
    proc.put({ pid: 100 })
    proc.put({ pid: 200 })
    const { rows } = await openTable().table.scan(new Set([100]))
    expect(rows.map((row) => row.pid)).toEqual([200])
  })

  it('names what ended while it was listing', async () => {
    proc.put({ pid: 100 })
    proc.put({ pid: 200 })
    const inner = createLinuxTable({ root: proc.root })
    const listPids = inner.listPids.bind(inner)
    inner.listPids = () => {
      const pids = listPids()
      proc.remove(200)
      return pids
    }
    const scan = await new LinuxSessionTable(inner, () => {}).scan(new Set())
    expect(scan).toMatchObject({ rows: [{ pid: 100 }], vanished: [200] })
  })

  it('reads the machine once for all who ask in the same turn, and lists what any of them needs', async () => {
    proc.put({ pid: 100 })
    proc.put({ pid: 200 })
    const { table, countReads } = openTable()
    const [one, other] = await Promise.all([table.scan(new Set([100, 200])), table.scan(new Set([200]))])
    expect(one).toBe(other)
    expect(one.rows.map((row) => row.pid)).toEqual([100])
    expect(countReads()).toBe(2)
    expect((await table.scan(new Set())).rows).toHaveLength(2)
  })

  it('descends by what each thread has started', async () => {
    proc.put({
      pid: 100,
      threads: [
        { tid: 100, children: [200] },
        { tid: 101, children: [300] },
      ],
    })
    proc.put({ pid: 200, parentPid: 100 })
    proc.put({ pid: 300, parentPid: 100, threads: [{ tid: 300, children: [301] }] })
    proc.put({ pid: 301, parentPid: 300 })
    proc.put({ pid: 400 })
    const rows = await openTable().table.descend([100, 999])
    expect(rows.map((row) => row.pid).sort()).toEqual([100, 200, 300, 301])
  })

  it('compares whole variables, and leaves out what it cannot read', async () => {
    proc.put({ pid: 100, environment: 'A=1\0TAG=abc\0' })
    proc.put({ pid: 200, environment: 'TAG=abcd\0' })
    proc.put({ pid: 300, environment: 'MY_TAG=abc\0' })
    proc.put({ pid: 400, environment: '' })
    proc.put({ pid: 500 })
    expect(await openTable().table.readTagged([100, 200, 300, 400, 500, 600], 'TAG=abc')).toEqual(
      new Map([
        [100, true],
        [200, false],
        [300, false],
      ]),
    )
  })
})

describe('a signal', () => {
  it('reaches the process that was named', async () => {
    proc.put({ pid: 200, startTime: '7' })
    const { table, killed } = openTable()
    expect(await table.signal({ pid: 200, startTime: '7' }, 'SIGTERM')).toBe('sent')
    expect(killed).toEqual([[200, 'SIGTERM']])
  })

  it.each([
    ['has another start time', 200, '8'],
    ['has gone', 201, '7'],
  ])('is not sent when the process %s', async (_title, pid, startTime) => {
    proc.put({ pid: 200, startTime: '7' })
    const { table, killed } = openTable()
    expect(await table.signal({ pid, startTime }, 'SIGTERM')).toBe('gone')
    expect(killed).toEqual([])
  })

  it.each([0, 1, -200, process.pid])('is never sent to %i', async (pid) => {
    const { table, killed } = openTable()
    expect(await table.signal({ pid, startTime: '7' }, 'SIGKILL')).toBe('refused')
    expect(killed).toEqual([])
  })

  it.each([
    ['ESRCH', 'gone'],
    ['EPERM', 'refused'],
  ])('that fails with %s is reported as %s', async (failure, outcome) => {
    proc.put({ pid: 200, startTime: '7' })
    expect(await openTable(failure).table.signal({ pid: 200, startTime: '7' }, 'SIGTERM')).toBe(outcome)
  })
})
