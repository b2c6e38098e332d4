import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { terminateTree } from '../../src/teardown/index.js'
import type { TeardownSignal } from '../../src/teardown/session-table.js'
import { HANG_UP_MS, KILL_MS } from '../../src/teardown/step.js'
import { TreeSurvivedError } from '../../src/teardown/survived.js'
import { createTermination } from '../../src/teardown/terminate.js'
import { ManualClock, ScriptedTable } from '../support/scripted-table.js'

const ROOT = { pid: 100, startTime: '1000' }
const TAG = 'session-tag'
const ENTRY = `AGENT_TERMINALS_TAG=${TAG}`
const GRACE_MS = 500

/** A table in which each process dies of the signals listed for it; all others die of everything but SIGCONT and SIGSTOP. */
function createTable(mortality: Readonly<Record<number, readonly TeardownSignal[]>> = {}): ScriptedTable {
  const table = new ScriptedTable((own, pid, signal) => {
    const deadly = mortality[pid] ?? ['SIGHUP', 'SIGTERM', 'SIGKILL']
    if (deadly.includes(signal)) own.rows.delete(pid)
    return 'sent'
  })
  table.put({ ...ROOT, command: 'bash', sessionId: ROOT.pid })
  return table
}

async function terminate(table: ScriptedTable, clock = new ManualClock()) {
  const report = await terminateTree({ root: ROOT, tag: TAG, graceMs: GRACE_MS, table, clock })
  return { report, elapsedMs: clock.nowMs() }
}

describe('the ladder', () => {
  it('hangs up an idle shell and proves that it left', async () => {
    const table = createTable()
    const { report } = await terminate(table)
    expect(report).toEqual({ ended: 0, forced: false })
    expect(table.sent).toEqual([[100, 'SIGHUP']])
    expect(table.scans).toBe(2)
  })

  it('ends children before their parents, and the shell last', async () => {
    const table = createTable()
    table.put({ pid: 200, parentPid: 100 })
    table.put({ pid: 201, parentPid: 200 })
    const { report } = await terminate(table)
    expect(report).toEqual({ ended: 2, forced: false })
    expect(table.sent.map(([pid]) => pid)).toEqual([201, 200, 100])
  })

  it('continues what it hangs up, so that a stopped program can act', async () => {
    const table = createTable({ 200: ['SIGCONT'] })
    table.put({ pid: 200, parentPid: 100 })
    await terminate(table)
    expect(table.signalsOf(200)).toEqual(['SIGHUP', 'SIGCONT'])
  })

  it('gives up, naming what is there, when something new turns up each time that all was gone', async () => {
    let pid = 200
    const table = new ScriptedTable((own, dying, signal) => {
      if (signal !== 'SIGHUP') return 'sent'
      own.rows.delete(dying)
      own.put({ pid: ++pid, sessionId: ROOT.pid })
      return 'sent'
    })
    table.put({ ...ROOT, command: 'bash', sessionId: ROOT.pid })
    const failure = await terminate(table).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(TreeSurvivedError)
    expect(failure).toMatchObject({ survivors: [{ command: `program-${pid}` }] })
  })

  it('goes on to SIGTERM soon for a program that ignores the hang-up', async () => {
    const table = createTable({ 200: ['SIGTERM'] })
    table.put({ pid: 200, parentPid: 100 })
    const { report, elapsedMs } = await terminate(table)
    expect(report.forced).toBe(false)
    expect(table.signalsOf(200).at(-1)).toBe('SIGTERM')
    expect(elapsedMs).toBeLessThan(HANG_UP_MS + 10)
  })

  it('kills after the grace what ignores everything else, stopping it first', async () => {
    const table = createTable({ 200: ['SIGKILL'] })
    table.put({ pid: 200, parentPid: 100 })
    const { report, elapsedMs } = await terminate(table)
    expect(report).toEqual({ ended: 1, forced: true })
    expect(table.signalsOf(200).slice(-2)).toEqual(['SIGSTOP', 'SIGKILL'])
    expect(table.signalsOf(200).filter((signal) => signal === 'SIGTERM')).toHaveLength(1)
    expect(elapsedMs).toBeGreaterThanOrEqual(GRACE_MS)
    expect(elapsedMs).toBeLessThan(GRACE_MS + 200)
  })

  it('repeats the hang-up of a shell that missed it', async () => {
    let missed = 0
    const table = new ScriptedTable((own, pid, signal) => {
      if (signal === 'SIGHUP' && missed++ > 0) own.rows.delete(pid)
      return 'sent'
    })
    table.put({ ...ROOT, sessionId: 100 })
    const { elapsedMs } = await terminate(table)
    expect(elapsedMs).toBeLessThan(20)
  })

  it('kills a shell that ignores everything else after the grace', async () => {
    const table = createTable({ 100: ['SIGKILL'] })
    const { report, elapsedMs } = await terminate(table)
    expect(report).toEqual({ ended: 0, forced: true })
    expect(table.signalsOf(100)).toContain('SIGTERM')
    expect(elapsedMs).toBeLessThan(GRACE_MS + 200)
  })

  it('hangs up a shell that starts a new child whenever one ends', async () => {
    let next = 200
    const table = new ScriptedTable((own, pid, signal) => {
      if (signal === 'SIGCONT') return 'sent'
      own.rows.delete(pid)
      if (pid !== 100 && own.rows.has(100)) own.put({ pid: ++next, parentPid: 100, sessionId: 100 })
      return 'sent'
    })
    table.put({ ...ROOT, sessionId: 100 })
    table.put({ pid: 200, parentPid: 100 })
    const { report, elapsedMs } = await terminate(table)
    expect(report.forced).toBe(false)
    expect(table.rows.size).toBe(0)
    expect(elapsedMs).toBeLessThan(20)
  })

  it('ends what the shell leaves behind when it goes', async () => {
    const table = new ScriptedTable((own, pid, signal) => {
      if (signal === 'SIGCONT') return 'sent'
      own.rows.delete(pid)
      if (pid === 100) {
        own.put({ pid: 300, startTime: '3000' })
        own.tags.set(300, ENTRY)
      }
      return 'sent'
    })
    table.put({ ...ROOT, sessionId: 100 })
    expect((await terminate(table)).report).toEqual({ ended: 1, forced: false })
  })

  it('gives up on a chain that goes on outside the tree, and names where it is', async () => {
    let next = 300
    const table = new ScriptedTable((own, pid, signal) => {
      if (signal === 'SIGCONT') return 'sent'
      own.rows.delete(pid)
      own.put({ pid: next, startTime: String(2_000 + next) })
      own.tags.set(next, ENTRY)
      next += 1
      return 'sent'
    })
    table.put({ ...ROOT, sessionId: 100 })
    const failure = await terminate(table).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(TreeSurvivedError)
    const last = [...table.rows.keys()]
    expect((failure as TreeSurvivedError).survivors.map(({ pid }) => pid)).toEqual(last)
  })

  it('names a shell that not even a kill ends', async () => {
    const table = createTable({ 100: [] })
    const clock = new ManualClock()
    const failure = await terminate(table, clock).catch((error: unknown) => error)
    expect((failure as TreeSurvivedError).survivors).toEqual([{ ...ROOT, command: 'bash' }])
    expect(clock.nowMs()).toBeGreaterThanOrEqual(GRACE_MS + KILL_MS)
  })

  it('looks again while processes vanish that may have left children', async () => {
    const table = createTable()
    table.vanished = [777]
    await terminate(table)
    expect(table.scans).toBeGreaterThan(2)
  })

  it('is not misled by strangers that end while it looks', async () => {
    const table = createTable()
    table.put({ pid: 777, startTime: '10' })
    const scan = table.scan.bind(table)
    table.scan = async (skipped) => {
      const seen = await scan(skipped)
      if (table.rows.delete(777)) table.vanished = [777]
      return seen
    }
    await terminate(table)
    expect(table.scans).toBe(2)
  })

  it('looks at the whole machine anew once a pid could have changed hands', async () => {
    const table = createTable({ 100: ['SIGKILL'] })
    table.put({ pid: 777, startTime: '10' })
    const skips: number[] = []
    const scan = table.scan.bind(table)
    table.scan = (skipped) => {
      skips.push(skipped.size)
      return scan(skipped)
    }
    await terminate(table)
    expect(skips).toEqual([0, 0])
  })

  it('reads again what could not be read at first', async () => {
    const table = createTable()
    table.put({ pid: 300 })
    const readTagged = table.readTagged.bind(table)
    let attempts = 0
    table.readTagged = async (pids, entry) => {
      if (attempts++ === 0) return new Map()
      table.tags.set(300, ENTRY)
      return readTagged(pids, entry)
    }
    expect((await terminate(table)).report).toEqual({ ended: 1, forced: false })
  })
})

describe('a root that has ended by itself', () => {
  it('has left orphans that are ended later, though nothing but the session’s number names them', async () => {
    const table = createTable()
    table.rows.delete(100)
    table.put({ pid: 300, sessionId: 100 })
    const termination = createTermination({ root: ROOT, tag: TAG, table, clock: new ManualClock() })
    await termination.noteRootEnd()
    table.put({ pid: 400, sessionId: 100, command: 'stranger in a later session of that number' })
    expect(await termination.terminate({ graceMs: GRACE_MS })).toEqual({ ended: 1, forced: false })
    expect([...table.rows.keys()]).toEqual([400])
  })

  it('can be terminated even if nothing could be noted', async () => {
    const table = createTable()
    const scan = table.scan.bind(table)
    table.scan = () => Promise.reject(new Error('too many open files'))
    const termination = createTermination({ root: ROOT, tag: TAG, table, clock: new ManualClock() })
    await termination.noteRootEnd()
    await expect(termination.terminate({ graceMs: GRACE_MS })).rejects.toThrow('too many open files')
    table.scan = scan
    expect(await termination.terminate({ graceMs: GRACE_MS })).toEqual({ ended: 0, forced: false })
  })
})

describe('the members of a session', () => {
  const open = (table: ScriptedTable) => createTermination({ root: ROOT, tag: TAG, table, clock: new ManualClock() })
  const pids = (members: readonly { readonly pid: number }[]) => members.map(({ pid }) => pid)

  it('are all that is alive beside the root, named, whatever way they are known by', async () => {
    const table = createTable()
    table.put({ pid: 200, parentPid: 100, sessionId: 100 })
    table.put({ pid: 210, parentPid: 200, sessionId: 100, isZombie: true })
    table.put({ pid: 300, command: 'daemon' })
    table.tags.set(300, ENTRY)
    table.put({ pid: 400 })
    expect(pids(await open(table).listMembers())).toEqual([300, 200])
    expect(await open(table).listMembers()).toContainEqual({ pid: 300, startTime: '2000', command: 'daemon' })
    expect(table.sent).toEqual([])
  })

  it('leave out the program that is meant to run and what stands between it and the root', async () => {
    const table = createTable()
    table.put({ pid: 110, parentPid: 100, sessionId: 100, command: 'wrapper' })
    table.put({ pid: 120, parentPid: 110, sessionId: 100, command: 'bash' })
    table.put({ pid: 130, parentPid: 120, sessionId: 100, command: 'sleep' })
    table.put({ pid: 140, parentPid: 110, sessionId: 100, command: 'orphan' })
    expect(pids(await open(table).listMembers(120))).toEqual([140, 130])
  })

  it('are known after the end of the root as far as they were noted', async () => {
    const table = createTable()
    table.rows.delete(100)
    table.put({ pid: 300, sessionId: 100 })
    const termination = open(table)
    await termination.noteRootEnd()
    table.put({ pid: 400, sessionId: 100 })
    expect(pids(await termination.listMembers())).toEqual([300])
  })

  it('reject when the table cannot be read, and the next question is answered', async () => {
    const table = createTable()
    const scan = table.scan.bind(table)
    table.scan = () => Promise.reject(new Error('too many open files'))
    const termination = open(table)
    await expect(termination.listMembers()).rejects.toThrow('too many open files')
    table.scan = scan
    expect(await termination.listMembers()).toEqual([])
  })
})

describe('what a termination must not do', () => {
  it('signals no process that has taken over a pid', async () => {
    const table = new ScriptedTable((own, pid) => {
      if (pid === 200) own.put({ pid: 200, startTime: '9000', command: 'stranger' })
      else own.rows.delete(pid)
      return 'sent'
    })
    table.put({ ...ROOT, sessionId: 100 })
    table.put({ pid: 200, parentPid: 100 })
    await terminate(table)
    expect(table.signalsOf(200)).toEqual(['SIGHUP'])
    expect(table.rows.get(200)?.command).toBe('stranger')
  })

  it('signals nothing by the pid of a root that had gone before', async () => {
    const table = createTable()
    table.put({ pid: 100, startTime: '9000', sessionId: 100 })
    table.put({ pid: 300, startTime: '9001', sessionId: 100, parentPid: 100 })
    expect((await terminate(table)).report).toEqual({ ended: 0, forced: false })
    expect(table.sent).toEqual([])
  })

  it('signals only processes of the session, whatever runs beside it', async () => {
    const rows = fc.uniqueArray(
      fc.record({
        pid: fc.integer({ min: 2, max: 60 }),
        parentPid: fc.nat(60),
        startTime: fc.constantFrom('500', '1500'),
        isOurs: fc.boolean(),
        deadly: fc.constantFrom<TeardownSignal>('SIGHUP', 'SIGTERM', 'SIGKILL'),
      }),
      { selector: (row) => row.pid, maxLength: 12 },
    )
    await fc.assert(
      fc.asyncProperty(rows, async (processes) => {
        const mortality = Object.fromEntries(processes.map((each) => [each.pid, [each.deadly]]))
        const table = createTable(mortality)
        for (const { pid, parentPid, startTime, isOurs } of processes) {
          table.put({ pid, parentPid, startTime, sessionId: isOurs ? 100 : 1 })
        }
        const strangers = new Set(table.rows.keys())
        const isMember = (pid: number): boolean => {
          const row = table.rows.get(pid)
          if (row === undefined || row.startTime === '500') return false
          return row.sessionId === 100 || isMember(row.parentPid)
        }
        const hasCycle = processes.some(({ pid }) => {
          const line = new Set<number>()
          for (let at: number | undefined = pid; at !== undefined; at = table.rows.get(at)?.parentPid) {
            if (line.has(at)) return true
            line.add(at)
          }
          return false
        })
        fc.pre(!hasCycle)
        for (const pid of [...strangers]) if (isMember(pid)) strangers.delete(pid)
        await terminate(table)
        for (const [pid] of table.sent) expect(strangers.has(pid)).toBe(false)
        expect(new Set(table.rows.keys())).toEqual(strangers)
      }),
    )
  })
})

describe('survivors', () => {
  const immortal = () => {
    const table = createTable({ 200: [] })
    table.put({ pid: 200, parentPid: 100, command: 'stuck' })
    return table
  }

  it('are named in the failure, after a bounded time', async () => {
    const clock = new ManualClock()
    const failure = await terminate(immortal(), clock).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(TreeSurvivedError)
    expect(failure).toMatchObject({
      code: 'SURVIVORS',
      survivors: [
        { pid: 200, startTime: '2000', command: 'stuck' },
        { pid: 100, command: 'bash' },
      ],
      message: expect.stringContaining('200 (stuck)'),
    })
    expect(clock.nowMs()).toBeLessThan(GRACE_MS + KILL_MS + 200)
  })

  it.each([
    ['below the shell', 100, ''],
    ['far from it', 1, ENTRY],
  ])(
    'of a tree that grows again %s whatever is killed are named after a bounded time',
    async (_title, parentPid, tag) => {
      let next = 200
      const grow = (own: ScriptedTable) => {
        own.put({ pid: ++next, parentPid })
        own.tags.set(next, tag)
      }
      const table = new ScriptedTable((own, pid, signal) => {
        if (signal === 'SIGCONT' || signal === 'SIGSTOP' || pid === 100) return 'sent'
        own.rows.delete(pid)
        grow(own)
        return 'sent'
      })
      table.put({ ...ROOT, sessionId: 100 })
      grow(table)
      const clock = new ManualClock()
      await expect(terminate(table, clock)).rejects.toMatchObject({ code: 'SURVIVORS' })
      expect(clock.nowMs()).toBeLessThan(GRACE_MS + KILL_MS + 300)
    },
  )

  it('can be met by a new attempt', async () => {
    const table = immortal()
    const termination = createTermination({ root: ROOT, tag: TAG, table, clock: new ManualClock() })
    await expect(termination.terminate({ graceMs: 10 })).rejects.toMatchObject({ code: 'SURVIVORS' })
    table.rows.delete(200)
    expect(await termination.terminate({ graceMs: 10 })).toEqual({ ended: 0, forced: false })
  })

  it('are waited for together by callers that come while an attempt runs', async () => {
    const table = immortal()
    const termination = createTermination({ root: ROOT, tag: TAG, table, clock: new ManualClock() })
    const attempts = [termination.terminate({ graceMs: 10 }), termination.terminate({ graceMs: 10 })]
    expect(attempts[0]).toBe(attempts[1])
    expect((await Promise.allSettled(attempts)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })

  it('include what may not be signalled', async () => {
    const table = new ScriptedTable((own, pid) => {
      if (pid === 200) return 'refused'
      own.rows.delete(pid)
      return 'sent'
    })
    table.put({ ...ROOT, sessionId: 100 })
    table.put({ pid: 200, parentPid: 100, command: 'sudo' })
    await expect(terminate(table)).rejects.toMatchObject({ survivors: [{ pid: 200, command: 'sudo' }, { pid: 100 }] })
  })
})
