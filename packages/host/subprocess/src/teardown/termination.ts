import type { ProcessIdentity, TerminationReport } from '../contract.js'
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
  /** @throws TreeSurvivedError (a `TerminationFailure`) naming what could not be ended. */
  terminate(options: { readonly graceMs: number }): Promise<TerminationReport>
}
