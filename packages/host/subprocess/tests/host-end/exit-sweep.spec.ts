import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { isAlive, useBaseline, waitUntil } from '@agent-terminals/testing'
import { describe, expect, it } from 'vitest'
import type { ProcessIdentity } from '../../src/contract.js'
import { type ExitTable, sweepAtExit } from '../../src/host-end/exit-sweep.js'
import { createLinuxTable } from '../../src/inspector/linux-table.js'
import { readProcess } from '../../src/inspector/session-walk.js'
import type { ProcessRow } from '../../src/teardown/session-table.js'

useBaseline()

const ROOT = { pid: 100, startTime: '1000' }
const ENTRY = 'AGENT_TERMINALS_HOST=mine'

const row = (pid: number, more: Partial<ProcessRow> = {}): ProcessRow => ({
  pid,
  startTime: '2000',
  parentPid: 1,
  pgid: pid,
  sessionId: pid,
  tty: '',
  isZombie: false,
  command: `program-${pid}`,
  ...more,
})

/** A machine in memory, on which processes die of what is listed for them. */
class FakeMachine implements ExitTable {
  readonly sent: (readonly [number, string])[] = []
  pausedMs = 0

  constructor(
    private rows: readonly ProcessRow[],
    private readonly tagged: ReadonlySet<number>,
    private readonly deaf: ReadonlySet<number>,
  ) {}

  list(): readonly ProcessRow[] {
    return this.rows
  }

  findTagged(rows: readonly ProcessRow[]): readonly ProcessRow[] {
    return rows.filter(({ pid }) => this.tagged.has(pid))
  }

  signal({ pid }: ProcessIdentity, signal: 'SIGHUP' | 'SIGCONT' | 'SIGKILL'): void {
    this.sent.push([pid, signal])
    if (signal === 'SIGKILL' || (signal === 'SIGHUP' && !this.deaf.has(pid))) {
      this.rows = this.rows.filter((each) => each.pid !== pid)
    }
  }

  pause(ms: number): void {
    this.pausedMs += ms
  }
}

describe('the sweep at the exit of the host', () => {
  const shell = row(ROOT.pid, { startTime: ROOT.startTime })
  const child = row(200, { parentPid: ROOT.pid, sessionId: ROOT.pid })
  const daemon = row(300)
  const stranger = row(400)
  const sweep = (deaf: readonly number[]) => {
    const machine = new FakeMachine([shell, child, daemon, stranger], new Set([200, 300]), new Set(deaf))
    sweepAtExit([ROOT], ENTRY, machine)
    return machine
  }

  it('hangs up the shell, what is below it and what carries the tag, and touches nobody else', () => {
    const machine = sweep([])
    expect(machine.list()).toEqual([stranger])
    expect(new Set(machine.sent.map(([pid]) => pid))).toEqual(new Set([100, 200, 300]))
    expect(machine.sent.some(([, signal]) => signal === 'SIGKILL')).toBe(false)
    // One look is enough where all have gone.
    expect(machine.pausedMs).toBe(5)
  })

  it('kills what has not taken the hang-up, after a moment', () => {
    const machine = sweep([200, 300])
    expect(machine.list()).toEqual([stranger])
    expect(machine.sent.filter(([, signal]) => signal === 'SIGKILL').map(([pid]) => pid)).toEqual([300, 200])
    expect(machine.pausedMs).toBe(40)
  })

  it('leaves a process alone that has taken over the pid of a shell', () => {
    const machine = new FakeMachine([{ ...shell, startTime: '3000' }], new Set(), new Set())
    sweepAtExit([ROOT], ENTRY, machine)
    expect(machine.sent).toEqual([])
    expect(machine.pausedMs).toBe(0)
  })

  it.runIf(process.platform === 'linux')('ends real processes without a promise (needs /proc)', async () => {
    const program = spawn('bash', ['-c', "trap '' HUP; sleep 61 & wait"], { detached: true, stdio: 'ignore' })
    const exited = once(program, 'exit')
    const { pid = 0 } = program
    const table = createLinuxTable()
    const sleeper = () => readChild(table, pid)
    await waitUntil('the program has its child', () => sleeper() !== undefined)
    const childPid = sleeper() ?? 0
    const startTime = readProcess(table, pid)?.startTime ?? ''
    sweepAtExit([{ pid, startTime }], ENTRY)
    await exited
    await waitUntil('its child has gone as well', () => !isAlive(childPid))
    table.close()
  })
})

function readChild(table: ReturnType<typeof createLinuxTable>, pid: number): number | undefined {
  const children = table.readChildren(pid, pid)
  const [first] = children.kind === 'value' ? children.value.trim().split(' ').filter(Boolean) : []
  return first === undefined ? undefined : Number(first)
}
