import type { ProcessIdentity, TerminalMember, TerminationReport } from '../contract.js'
import type { Clock } from './clock.js'
import type { SessionTable } from './session-table.js'

/** Name of the variable that every process of a session carries in its initial environment: `…=<random per session>`. */
export const SESSION_TAG_VARIABLE = 'AGENT_TERMINALS_TAG'

export interface TerminationOptions {
  /** The top-level process as captured right after it was started, see `captureIdentity`. */
  readonly root: ProcessIdentity
  /** Value of the session's clean-up tag. Random, so that no other session can match. */
  readonly tag: string
  /** Default: this machine's. */
  readonly table?: SessionTable
  readonly clock?: Clock
}

/** Ends one session's process tree. Calls while an attempt runs join it; a call after a failed attempt starts a new one. */
export interface Termination {
  /**
   * Tell that the top-level process has just been seen to end. What it left is noted, so that a termination later on ends
   * orphans that have lost both their parent and the tag. Call it in the turn of the exit event; never rejects.
   */
  noteRootEnd(): Promise<void>
  /** Live members other than the top-level process, `beside` and the ancestors of `beside`, parents before children. */
  listMembers(beside?: number): Promise<readonly TerminalMember[]>
  /** @throws TreeSurvivedError (a `TerminationFailure`) naming what could not be ended. */
  terminate(options: { readonly graceMs: number }): Promise<TerminationReport>
}
