/** The life of one terminal as the service sees it. `docs/lifecycle.md` has the picture. */
import type { ExitStatus, TerminalClaim } from './vocabulary.js'

/** Why an unpublished terminal must not be published. The caller's own reason outranks the lifecycle's. */
export interface StopCause {
  readonly caller?: { readonly reason: unknown }
  /** The owner or the service ended. */
  readonly lifecycle?: Error
}

/** The one send that may be active, with the narrowed claim it will widen again if nobody changed it meanwhile. */
export interface ActiveSend {
  readonly sendId: number
  readonly narrowedClaim: TerminalClaim | undefined
}

/** The backend is starting the terminal. It has a name and counts as owner activity; nobody can address it. */
export interface Opening {
  readonly kind: 'opening'
  readonly stop: StopCause | undefined
  /** Whether the caller has already been answered because the backend did not react to the abort. */
  readonly answered: boolean
  readonly exit: ExitStatus | undefined
}

/** Published. An ended terminal stays open, and readable, until it is closed. */
export interface Open {
  readonly kind: 'open'
  readonly claim: TerminalClaim
  readonly send: ActiveSend | undefined
  readonly exit: ExitStatus | undefined
}

/**
 * Being closed, or rolled back when it has never been published. `attempt` fences the backend's
 * answers: only the current attempt can fail, while a success is the end whichever attempt it comes from.
 */
export interface Closing {
  readonly kind: 'closing'
  readonly attempt: number
  /** `cancelling` waits for the active send to settle; `ending` waits for the backend's close. */
  readonly stage: 'cancelling' | 'ending'
  readonly past: Past
}

/** The last attempt failed and something is left. Closing again is possible. */
export interface CloseFailed {
  readonly kind: 'close-failed'
  readonly attempt: number
  readonly error: unknown
  readonly past: Past
}

/** What is still true while and after closing. */
export type Past =
  | {
      readonly kind: 'published'
      readonly claim: TerminalClaim
      readonly send: ActiveSend | undefined
      readonly exit: ExitStatus | undefined
    }
  | { readonly kind: 'unpublished'; readonly stop: StopCause; readonly answered: boolean }

export interface Closed {
  readonly kind: 'closed'
  readonly killed: boolean
}

export type SessionState = Opening | Open | Closing | CloseFailed | Closed

/** What can happen to a terminal. */
export type SessionInput =
  | { readonly type: 'caller-aborted'; readonly reason: unknown }
  | { readonly type: 'lifecycle-ended'; readonly error: Error }
  /** The backend handed over a running terminal. */
  | { readonly type: 'backend-opened' }
  /** The backend failed; `cleanupError` is set when it left something behind. */
  | { readonly type: 'backend-failed'; readonly error: Error; readonly cleanupError?: unknown }
  /** The backend has not reacted to an abort for the configured time. */
  | { readonly type: 'abort-overdue'; readonly error: Error }
  | {
      readonly type: 'send-started'
      readonly sendId: number
      readonly turnId?: string | undefined
      readonly toolCallId?: string | undefined
    }
  | { readonly type: 'send-settled'; readonly sendId: number }
  /** A cancelled send has not settled for the configured time. */
  | { readonly type: 'send-overdue'; readonly attempt: number }
  | { readonly type: 'close-requested' }
  /** Whichever attempt it was: nothing is left. */
  | { readonly type: 'close-succeeded'; readonly killed: boolean }
  | { readonly type: 'close-failed'; readonly attempt: number; readonly error: unknown }
  | { readonly type: 'process-exited'; readonly status: ExitStatus }
  | { readonly type: 'claimed'; readonly claim: TerminalClaim }

/** What the driver must do, in order. */
export type SessionEffect =
  | { readonly type: 'abort-open'; readonly reason: unknown }
  | { readonly type: 'publish' }
  | { readonly type: 'reject-open'; readonly error: unknown }
  | { readonly type: 'cancel-send'; readonly attempt: number }
  /** Let the active send return; what it started goes on. */
  | { readonly type: 'release-send' }
  /** Close the backend's session, or repeat a failed start's clean-up. */
  | { readonly type: 'end-process'; readonly attempt: number }
  | { readonly type: 'keep-ended' }
  | { readonly type: 'announce-claim'; readonly claim: TerminalClaim }
  | { readonly type: 'announce-exit'; readonly status: ExitStatus }
  /** The terminal is gone: forget it, then answer everyone who waits for its close. */
  | { readonly type: 'finish'; readonly killed: boolean; readonly wasPublished: boolean }
  /** Answer everyone who waits for the close of a terminal that is still there. */
  | { readonly type: 'report-failure'; readonly error: unknown }

export interface Transition {
  readonly state: SessionState
  readonly effects: readonly SessionEffect[]
}

export const OPENING: Opening = { kind: 'opening', stop: undefined, answered: false, exit: undefined }
export const OWNER_CLAIM: TerminalClaim = { kind: 'owner' }
