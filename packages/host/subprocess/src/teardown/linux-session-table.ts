import type { ProcessIdentity } from '../contract.js'
import { isZombie, type ProcessStat, parseProcStat } from '../inspector/parse-stat.js'
import type { ProcessTable } from '../inspector/process-table.js'
import { readChildren, readProcess } from '../inspector/session-walk.js'
import type { MachineScan, ProcessRow, SessionTable, SignalOutcome, TeardownSignal } from './session-table.js'

export type ProcessKill = (pid: number, signal: TeardownSignal) => void

/** Processes read before other work gets a turn. */
const SCAN_CHUNK = 256

/** Teardown's view of a Linux machine, over procfs. */
export class LinuxSessionTable implements SessionTable {
  /** The scan that starts in the next turn, and what each of those who wait for it can do without. */
  private pending: { readonly skips: ReadonlySet<number>[]; readonly result: Promise<MachineScan> } | undefined

  constructor(
    private readonly table: ProcessTable,
    private readonly kill: ProcessKill,
  ) {}

  /** Scans asked for in the same turn are one: closing thirty terminals reads the machine about as often as closing one. */
  scan(skipped: ReadonlySet<number>): Promise<MachineScan> {
    if (this.pending !== undefined) {
      this.pending.skips.push(skipped)
      return this.pending.result
    }
    const skips = [skipped]
    const result = nextTurn().then(() => {
      this.pending = undefined
      return this.scanMachine(skips)
    })
    this.pending = { skips, result }
    return result
  }

  private async scanMachine(skips: readonly ReadonlySet<number>[]): Promise<MachineScan> {
    const pids = this.table.listPids().filter((pid) => !skips.every((skipped) => skipped.has(pid)))
    const scans: MachineScan[] = []
    for (let at = 0; at < pids.length; at += SCAN_CHUNK) {
      if (at > 0) await nextTurn()
      scans.push(this.readRows(pids.slice(at, at + SCAN_CHUNK)))
    }
    return { rows: scans.flatMap((scan) => scan.rows), vanished: scans.flatMap((scan) => scan.vanished) }
  }

  /** The same at once. For the moment in which the host ends. */
  scanNow(): MachineScan {
    return this.readRows(this.table.listPids())
  }

  async descend(pids: readonly number[]): Promise<readonly ProcessRow[]> {
    const found = new Map<number, ProcessRow>()
    const queue: ProcessStat[] = pids.flatMap((pid) => readProcess(this.table, pid) ?? [])
    for (let stat = queue.pop(); stat !== undefined; stat = queue.pop()) {
      if (found.has(stat.pid)) continue
      found.set(stat.pid, toRow(stat))
      queue.push(...readChildren(this.table, stat))
    }
    return [...found.values()]
  }

  async readTagged(pids: readonly number[], entry: string): Promise<ReadonlyMap<number, boolean>> {
    return this.readTaggedNow(pids, entry)
  }

  readTaggedNow(pids: readonly number[], entry: string): ReadonlyMap<number, boolean> {
    const answers = new Map<number, boolean>()
    for (const pid of pids) {
      const environment = this.table.readEnvironment(pid)
      // It reads empty while the process is starting a program: not known yet.
      if (environment.kind !== 'value' || environment.value === '') continue
      answers.set(pid, `\0${environment.value}\0`.includes(`\0${entry}\0`))
    }
    return answers
  }

  async signal(identity: ProcessIdentity, signal: TeardownSignal): Promise<SignalOutcome> {
    return this.signalNow(identity, signal)
  }

  signalNow({ pid, startTime }: ProcessIdentity, signal: TeardownSignal): SignalOutcome {
    if (pid <= 1 || pid === process.pid) return 'refused'
    const stat = readProcess(this.table, pid)
    if (stat === undefined || stat.startTime !== startTime) return 'gone'
    return sendSignal(this.kill, pid, signal)
  }

  private readRows(pids: readonly number[]): MachineScan {
    const rows: ProcessRow[] = []
    const vanished: number[] = []
    for (const pid of pids) {
      const stat = readProcess(this.table, pid)
      if (stat === undefined) vanished.push(pid)
      else rows.push(toRow(stat))
    }
    return { rows, vanished }
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

export function sendSignal(kill: ProcessKill, pid: number, signal: TeardownSignal): SignalOutcome {
  try {
    kill(pid, signal)
    return 'sent'
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH' ? 'gone' : 'refused'
  }
}

export function readIdentity(table: ProcessTable, pid: number): ProcessIdentity | undefined {
  const reading = table.readStat(pid)
  const stat = reading.kind === 'value' ? parseProcStat(reading.value) : undefined
  return stat && { pid, startTime: stat.startTime }
}

function toRow(stat: ProcessStat): ProcessRow {
  return {
    pid: stat.pid,
    startTime: stat.startTime,
    parentPid: stat.parentPid,
    pgid: stat.pgid,
    sessionId: stat.sessionId,
    // A terminal belongs to one session, which is told.
    tty: '',
    isZombie: isZombie(stat),
    command: stat.command,
  }
}
