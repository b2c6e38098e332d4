import type { ProcessIdentity } from '../../src/contract.js'
import { listTree } from '../../src/inspector/tree.js'
import type { Clock } from '../../src/teardown/clock.js'
import { identityKey } from '../../src/teardown/membership.js'
import type {
  MachineScan,
  ProcessRow,
  SessionTable,
  SignalOutcome,
  TeardownSignal,
} from '../../src/teardown/session-table.js'

export type SentSignal = readonly [pid: number, signal: TeardownSignal]

/** Time that passes only when somebody waits. */
export class ManualClock implements Clock {
  private now = 0
  nowMs(): number {
    return this.now
  }
  async sleep(ms: number): Promise<void> {
    this.now += ms
  }
}

/** A process table held in memory. What signals do to it is up to the test. */
export class ScriptedTable implements SessionTable {
  readonly sent: SentSignal[] = []
  readonly rows = new Map<number, ProcessRow>()
  readonly tags = new Map<number, string>()
  vanished: readonly number[] = []
  scans = 0

  constructor(
    private readonly handleSignal: (table: ScriptedTable, pid: number, signal: TeardownSignal) => SignalOutcome,
  ) {}

  put(row: Partial<ProcessRow> & { readonly pid: number }): void {
    const defaults = { startTime: '2000', parentPid: 1, sessionId: row.pid, tty: '', isZombie: false }
    this.rows.set(row.pid, { ...defaults, pgid: row.pid, command: `program-${row.pid}`, ...row })
  }

  async scan(skipped: ReadonlySet<number>): Promise<MachineScan> {
    this.scans++
    const isListed = ({ pid }: ProcessRow) => !skipped.has(pid)
    return {
      rows: [...this.rows.values()].filter(isListed),
      vanished: this.vanished.filter((pid) => !skipped.has(pid)),
    }
  }

  async descend(pids: readonly number[]): Promise<readonly ProcessRow[]> {
    return listTree([...this.rows.values()], pids)
  }

  async readTagged(pids: readonly number[], entry: string): Promise<ReadonlyMap<number, boolean>> {
    return new Map(pids.map((pid) => [pid, this.tags.get(pid) === entry]))
  }

  async signal(identity: ProcessIdentity, signal: TeardownSignal): Promise<SignalOutcome> {
    const row = this.rows.get(identity.pid)
    if (row === undefined || identityKey(row) !== identityKey(identity)) return 'gone'
    this.sent.push([identity.pid, signal])
    return this.handleSignal(this, identity.pid, signal)
  }

  signalsOf(pid: number): readonly TeardownSignal[] {
    return this.sent.filter(([each]) => each === pid).map(([, signal]) => signal)
  }
}
