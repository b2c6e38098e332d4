import type { ProcessIdentity } from '../contract.js'
import { PS_COLUMNS, type PsRow, parsePs } from '../inspector/parse-ps.js'
import type { PsRunner } from '../inspector/run-ps.js'
import { listTree } from '../inspector/tree.js'
import { type ProcessKill, sendSignal } from './linux-session-table.js'
import type { MachineScan, ProcessRow, SessionTable, SignalOutcome, TeardownSignal } from './session-table.js'

/**
 * Teardown's view of a machine without procfs, over `ps`. A listing is one snapshot, so nothing vanishes during it.
 * The environment of other processes is shown by `ps -E` on macOS for the user's own, unprotected programs only.
 */
export class PsSessionTable implements SessionTable {
  constructor(
    private readonly runPs: PsRunner,
    private readonly kill: ProcessKill,
  ) {}

  async scan(): Promise<MachineScan> {
    return { rows: await this.list(['-ax']), vanished: [] }
  }

  async descend(pids: readonly number[]): Promise<readonly ProcessRow[]> {
    return listTree(await this.list(['-ax']), pids)
  }

  async readTagged(pids: readonly number[], entry: string): Promise<ReadonlyMap<number, boolean>> {
    if (pids.length === 0) return new Map()
    const text = await this.runPs(['-E', '-ww', '-o', 'pid=,command=', '-p', pids.join(',')])
    return new Map(
      text.split('\n').flatMap((line) => {
        const match = /^\s*(\d+)\s(.*)$/.exec(line)
        return match === null ? [] : [[Number(match[1]), ` ${match[2]} `.includes(` ${entry} `)] as const]
      }),
    )
  }

  async signal({ pid, startTime }: ProcessIdentity, signal: TeardownSignal): Promise<SignalOutcome> {
    if (pid <= 1 || pid === process.pid) return 'refused'
    const [row] = await this.list(['-p', String(pid)])
    if (row === undefined || row.startTime !== startTime) return 'gone'
    return sendSignal(this.kill, pid, signal)
  }

  private async list(selection: readonly string[]): Promise<readonly ProcessRow[]> {
    return parsePs(await this.runPs(['-o', PS_COLUMNS, ...selection])).map(toPsRow)
  }
}

/** A line of `ps` in teardown's terms. */
export function toPsRow(row: PsRow): ProcessRow {
  return {
    pid: row.pid,
    startTime: row.startTime,
    parentPid: row.parentPid,
    pgid: row.pgid,
    // `ps` of macOS prints no session id; a session leader says so, and its id is its pid.
    sessionId: row.state.includes('s', 1) ? row.pid : 0,
    tty: row.tty,
    isZombie: row.state.startsWith('Z'),
    command: row.command,
  }
}
