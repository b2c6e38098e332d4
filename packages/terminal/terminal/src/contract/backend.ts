/** What a backend is asked and what it promises. */
import type { SessionStatus } from '../core/index.js'
import type { ScreenRequest, ScreenSnapshot, SearchRequest, SearchResult } from '../views.js'
import type { BackendEvent } from './events.js'
import type { ReadRequest, ScrollbackPage } from './read.js'
import type { SendRequest, TerminalSend } from './send.js'
import type {
  PromptDetection,
  TerminalConfinement,
  TerminalOwner,
  TerminalSessionId,
  TerminalSignal,
  TerminalSize,
} from './vocabulary.js'

/** What the service asks of a backend when a terminal is opened. */
export interface BackendOpenRequest {
  readonly sessionId: TerminalSessionId
  readonly owner: TerminalOwner
  /** Absolute. */
  readonly cwd: string
  readonly size: TerminalSize
  /** Aborted by the caller, the owner's end or the service's end. Rejecting with its `reason` is expected then. */
  readonly signal: AbortSignal
  /** Where the backend reports what happens. Calls before publication are delivered after it, in order. */
  readonly emit: (event: BackendEvent) => void
}

/** What a backend knows about a session at this moment, without asking the system. */
export interface BackendDescription {
  readonly status: SessionStatus
  readonly cwd: string | undefined
  readonly foreground: string | undefined
  readonly title: string | undefined
  readonly idleMs: number
  readonly promptDetection: PromptDetection
  /** Evidence sources available for readiness, by name. */
  readonly evidence: readonly string[]
}

export interface SignalDelivery {
  readonly delivered: true
  readonly targetPgid: number
}

/** A live process of a terminal beside its shell. */
export interface RemainingProcess {
  readonly pid: number
  readonly command: string
}

export interface CloseReport {
  /** Whether anything alive had to be ended: the shell, or a process that it left behind when it ended by itself. */
  readonly killed: boolean
}

/** A terminal as its backend runs it. The service has checked owner, claim and reservation before any call. */
export interface BackendSession {
  readonly pid: number
  /** Text shown before the first prompt. */
  readonly motd: string
  /** Absent without confinement, and when nothing is known of it. */
  readonly confinement?: TerminalConfinement
  describe(): BackendDescription
  /** Start a send. The session is free of other sends. */
  send(request: SendRequest): TerminalSend
  read(request: ReadRequest): ScrollbackPage
  signal(signal: TerminalSignal): Promise<SignalDelivery>
  /** Raw input by whoever holds the claim, as typed: no readiness, no echo handling. */
  input(data: string): Promise<void>
  resize(size: TerminalSize): void
  /** What is on the screen. @throws TerminalError `UNSUPPORTED` when the deployment keeps no screens. */
  screen?(request: ScreenRequest): Promise<ScreenSnapshot>
  /** Find retained lines, oldest first, within a bounded time. @throws TerminalError `PATTERN_INVALID`. */
  search?(request: SearchRequest): Promise<SearchResult>
  /**
   * Whether what is typed now goes to a program that reads it with echo off, as for a password. A backend that cannot know
   * says no.
   */
  takesSecret?(): Promise<boolean>
  /** Live processes beside the shell, also after its end. Costs a look at the whole machine. `undefined` when it cannot be known. */
  remaining?(): Promise<readonly RemainingProcess[] | undefined>
  /** End the whole process tree. A rejection names what is left; calling again tries again. */
  close(): Promise<CloseReport>
}

/** A kind of terminal that can be opened. */
export interface TerminalBackend {
  /** The `type` of `terminal_open`. */
  readonly type: string
  readonly description: string
  open(request: BackendOpenRequest): Promise<BackendSession>
}
