import type { ProcessIdentity } from '../contract.js'

/** One process as teardown sees it. */
export interface ProcessRow extends ProcessIdentity {
  readonly parentPid: number
  readonly pgid: number
  /** Session id, setsid(2); 0 where the platform does not tell. */
  readonly sessionId: number
  /**
   * Controlling terminal, where the platform tells it rather than the session; otherwise `''`. It must name one terminal of the whole
   * machine: a device number of Linux does not, because every mount of devpts (a container, a sandbox) counts from 0, devpts(5).
   */
  readonly tty: string
  readonly isZombie: boolean
  readonly command: string
}

/** A listing of the whole machine. */
export interface MachineScan {
  readonly rows: readonly ProcessRow[]
  /** Processes that ended between being listed and being read: they may have left children that are not listed. */
  readonly vanished: readonly number[]
}

export type TeardownSignal = 'SIGHUP' | 'SIGCONT' | 'SIGTERM' | 'SIGSTOP' | 'SIGKILL'

/** `refused` means that the process is there, and that we may not signal it. */
export type SignalOutcome = 'sent' | 'gone' | 'refused'

/** The machine's processes, and the only door through which teardown signals. Injected in tests. */
export interface SessionTable {
  /** Every process of the machine, except that those in `skipped` need not be listed. */
  scan(skipped: ReadonlySet<number>): Promise<MachineScan>
  /** Those of the given processes that exist, and everything below them. On Linux this costs nothing per other process. */
  descend(pids: readonly number[]): Promise<readonly ProcessRow[]>
  /**
   * Which processes have `entry` (`NAME=value`) in their initial environment. A process whose environment cannot be read
   * is absent from the answer.
   */
  readTagged(pids: readonly number[], entry: string): Promise<ReadonlyMap<number, boolean>>
  /**
   * Signal a process if it still is the one named, checked immediately before.
   * Refuses init and the calling process whatever is asked.
   */
  signal(identity: ProcessIdentity, signal: TeardownSignal): Promise<SignalOutcome>
}
