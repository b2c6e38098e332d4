import type { ProcessIdentity } from '../contract.js'

/** One process as teardown sees it. */
export interface ProcessRow extends ProcessIdentity {
  readonly parentPid: number
  readonly pgid: number
  /** Session id (setsid(2)); 0 where the platform does not tell. */
  readonly sessionId: number
  /** Controlling terminal in the platform's own notation; `''` without one. */
  readonly tty: string
  readonly isZombie: boolean
  readonly command: string
}

/** The machine's processes and the only door through which teardown signals. Injected in tests. */
export interface SessionTable {
  /** Every process of the machine. `complete` is false when some ended during the listing, so that children may have been missed. */
  scan(): Promise<{ readonly rows: readonly ProcessRow[]; readonly complete: boolean }>
  /** The given processes (those that still exist) and everything below them; costs nothing per other process. */
  descend(roots: readonly number[]): Promise<readonly ProcessRow[]>
  /** Whether the process's initial environment has `entry` (`NAME=value`). `undefined` when it cannot be read. */
  hasEnvironment(pid: number, entry: string): Promise<boolean | undefined>
  /**
   * Signal a process if it still is the one named, checked immediately before.
   * Refuses pids below 2 and this process itself whatever is asked.
   */
  signal(identity: ProcessIdentity, signal: TeardownSignal): 'sent' | 'gone' | 'refused'
}

export type TeardownSignal = 'SIGHUP' | 'SIGCONT' | 'SIGTERM' | 'SIGSTOP' | 'SIGKILL'
