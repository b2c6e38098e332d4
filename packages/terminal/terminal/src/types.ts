/**
 * The terminal contract: what an owner, a backend and an observer can rely on.
 * Seed, "Agent ownership and identity" and "Six model-facing tools"; architecture §3.
 */
import type { SessionLog } from '@agent-terminals/agents/contract'
import type { Context } from '@deepseek-ai/cordis'
import type { HeldPhase, SessionStatus, TerminalClaim } from './core/index.js'
import type { InputPiece, OutputPattern, ScreenRequest, ScreenSnapshot, SearchRequest, SearchResult } from './views.js'

export type { ExitStatus, HeldPhase, SessionStatus, TerminalClaim } from './core/index.js'

declare const brand: unique symbol
/** Opaque id minted by the service. Knowing it authorises nothing. */
export type TerminalSessionId = string & { readonly [brand]: 'TerminalSessionId' }

/** Who owns a terminal: compared by object identity, never by `id`. An `Agent` is one. */
export interface TerminalOwner {
  readonly id: string
  /** The owner's scope. When it ends, every terminal of the owner is closed and awaited. */
  readonly ctx: Context
  /** Absolute directory in which new terminals start unless the request names another. */
  readonly cwd: string
  readonly session?: SessionLog
  /** Where a release on `ctx` hands over its own failure, so that whoever ends the owner hears of it. Cordis only logs one that throws. */
  recordFailure?(error: unknown): void
}

/** Signals a caller may send. Seed: the closed set of `terminal_signal`. */
export const TERMINAL_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGKILL', 'SIGTSTP', 'SIGHUP'] as const
export type TerminalSignal = (typeof TERMINAL_SIGNALS)[number]

/** Why a send returned. Seed, "Six model-facing tools". Independent of the session status. */
export const WAIT_REASONS = ['stdin_read', 'inferred_idle', 'timeout', 'session_exit'] as const
/** `output_match` only for a send that asked with `waitFor`. */
export type TerminalWaitReason = (typeof WAIT_REASONS)[number] | 'output_match'

/** What the terminal is doing, in words a model can act on. Architecture §4.2. */
export const TERMINAL_STATES = [
  'prompt',
  'continuation',
  'line',
  'hidden',
  'key',
  'fullscreen',
  'busy',
  'quiet',
  'stopped',
  'ended',
] as const
export type TerminalState = (typeof TERMINAL_STATES)[number]

/** Whether the shell's own marks can be trusted: `lost` after the shell was replaced or its hooks removed; `none` without integration. */
export type PromptDetection = 'active' | 'lost' | 'none'

export interface TerminalSize {
  readonly columns: number
  readonly rows: number
}

// ---------------------------------------------------------------------------------------------------------------- send

export interface SendRequest {
  /** UTF-8 text, sent as it is: nothing is appended to it, nothing stripped. */
  readonly text: string
  /** Whether Enter (`\r`) follows the text. An empty text without Enter only waits. */
  readonly submit: boolean
  /** Input that follows the text, in order, before Enter. @throws TerminalError `KEY_UNKNOWN`, before anything is written. */
  readonly keys?: readonly InputPiece[]
  /** Return as soon as new output, not the echo of the input, has a line that matches. */
  readonly waitFor?: OutputPattern
  /** Longest wait in milliseconds, bounded by the backend's configuration. */
  readonly timeoutMs?: number
  /** Aborting before the write writes nothing; afterwards the foreground program is interrupted. */
  readonly signal?: AbortSignal
  /**
   * Raw terminal output while the send is active, escapes included, never cut inside a code point. A backend that knows where
   * they are leaves out the shell's prompts and the line editor's echo.
   */
  readonly onOutput?: (text: string) => void
  /**
   * Rendered output while the send is active: each finished line once, newline included, as the viewport would hold it (no
   * escapes, prompts or echo). A line that a program moves back up to and redraws comes again. A backend that cannot tell
   * finished lines leaves it out.
   */
  readonly onText?: (text: string) => void
  /** The terminal's state as it changes while the send is active. */
  readonly onState?: (state: SendProgress) => void
  /** Narrows the claim to this tool call while the send is active. */
  readonly toolCallId?: string
  readonly turnId?: string
}

/** How a send in flight looks from outside. */
export interface SendProgress {
  readonly state: TerminalState
  /** Milliseconds without new output. */
  readonly quietMs: number
  /** Last line of output, without escapes: the question, when the program asks one. */
  readonly lastLine: string
}

/** Bounded rendered output of one send. */
export interface Viewport {
  readonly text: string
  /** Lines and UTF-8 bytes left out of the middle. Both 0 when nothing is missing. */
  readonly omittedLines: number
  readonly omittedBytes: number
}

export interface SendResult {
  readonly viewport: Viewport
  readonly waitReason: TerminalWaitReason
  readonly sessionStatus: SessionStatus
  /** Whether this result lacks output that was produced during the send. */
  readonly truncated: boolean
  readonly state: TerminalState
  readonly promptDetection: PromptDetection
  /** From the last byte written to the verdict, in milliseconds. */
  readonly elapsedMs: number
  /** Exit code of the command that finished during this send. */
  readonly exitCode?: number
  /** Run time of that command in milliseconds. */
  readonly durationMs?: number
  readonly cwd?: string
  /** Command name of the foreground program, when it is not the shell. */
  readonly foreground?: string
  /** Milliseconds without output, when the state is `busy` or `quiet`. */
  readonly quietMs?: number
  /** Milliseconds for which output has only redrawn one line. */
  readonly redrawingMs?: number
  /** Input bytes the program has not taken. */
  readonly pendingInputBytes?: number
  /** The line that `waitFor` found. */
  readonly matched?: string
  /** What a full-screen program shows, where the backend keeps screens. */
  readonly screen?: ScreenSnapshot
  /** Short sentences about what could not be known or was done differently. */
  readonly notes: readonly string[]
}

/** How a cancelled send was stopped. */
export interface Interruption {
  /** `none`: nothing had been written. Otherwise the last step that was needed. */
  readonly delivered: 'none' | 'SIGINT' | 'SIGTERM' | 'SIGKILL' | 'failed'
  readonly targetPgid?: number
}

/** The one way a send ends. */
export type SendOutcome =
  | { readonly kind: 'settled'; readonly result: SendResult }
  | {
      readonly kind: 'cancelled'
      /** The caller's own reason, unchanged. */
      readonly reason: unknown
      readonly interruption: Interruption
      readonly viewport: Viewport
      readonly sessionStatus: SessionStatus
    }
  | { readonly kind: 'failed'; readonly error: Error }

/** A send in flight. It holds the session's only send reservation until `outcome` settles. */
export interface TerminalSend {
  /** Never rejects. After a cancel it settles once the interruption has been delivered, so no successor can be hit by it. */
  readonly outcome: Promise<SendOutcome>
  cancel(reason: unknown): void
  /**
   * Stop waiting and settle as if the time were up, with the note in the result. The program is left alone and goes on. Nothing
   * happens before the write or once an interruption is under way. A backend that cannot do this leaves it out.
   */
  release?(note: string): void
  progress(): SendProgress
}

// ---------------------------------------------------------------------------------------------------------------- read

export interface ReadRequest {
  /** Most lines to return. */
  readonly lines?: number
  /** Lines to skip, counted back from the newest retained one. */
  readonly offset?: number
  /** Number of the first line wanted: the page then goes forward from there, and `offset` does not count. */
  readonly since?: number
}

/** A page of retained output, oldest line first. Seed: `{ text, totalLines, lineBegin, lineEnd, truncated }`. */
export interface ScrollbackPage {
  readonly text: string
  /** Lines retained now. */
  readonly totalLines: number
  /** First and last line of the page, 1-based within the retained lines; both 0 for an empty page. */
  readonly lineBegin: number
  readonly lineEnd: number
  /** Whether output has been lost to the retention bounds, as opposed to lying on another page. */
  readonly truncated: boolean
  /** Number of the page's first line since the terminal was opened. It never changes, unlike `lineBegin`. From 1. */
  readonly firstLine?: number
  /** `since` for the page that follows this one: the first line that is not on it, or is not finished. */
  readonly nextLine?: number
}

// ------------------------------------------------------------------------------------------------------------- backend

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

export type BackendEvent =
  /** Output bytes with the backend's private marks removed and everything else untouched. Borrowed from the backend; observers own them. */
  | { readonly type: 'data'; readonly bytes: Uint8Array }
  | { readonly type: 'command-executed'; readonly commandId: string; readonly commandLine: string }
  | {
      readonly type: 'command-finished'
      readonly commandId: string
      readonly exitCode: number | undefined
      readonly durationMs: number
    }
  | { readonly type: 'cwd-changed'; readonly cwd: string }
  | { readonly type: 'title-changed'; readonly title: string }
  | { readonly type: 'exited'; readonly status: SessionStatus }

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
  /** Whether a live process had to be ended, as opposed to one that had already gone. */
  readonly killed: boolean
}

/** A terminal as its backend runs it. The service has checked owner, claim and reservation before any call. */
export interface BackendSession {
  readonly pid: number
  /** Text shown before the first prompt. */
  readonly motd: string
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

// ------------------------------------------------------------------------------------------------------------- service

export interface SpawnRequest {
  readonly type: string
  /** Display name, unique among the owner's terminals. 1 to 64 characters, no control characters. */
  readonly name?: string
  /** Absolute, or relative to the owner's directory. */
  readonly cwd?: string
  readonly size?: TerminalSize
  readonly signal?: AbortSignal
}

/** One terminal as its owner, or a trusted observer, sees it. */
export interface SessionSummary {
  readonly sessionId: TerminalSessionId
  readonly name: string | undefined
  readonly type: string
  readonly pid: number
  readonly status: SessionStatus
  readonly claim: TerminalClaim
  readonly size: TerminalSize
  readonly cwd: string | undefined
  readonly foreground: string | undefined
  readonly title: string | undefined
  readonly idleMs: number
  readonly sending: boolean
  readonly openedAt: number
  readonly promptDetection: PromptDetection
  readonly evidence: readonly string[]
}

/** A terminal that its owner's session is bound to: it keeps the sandbox it was started with. */
export interface HeldTerminal {
  readonly sessionId: TerminalSessionId
  readonly name: string | undefined
  readonly phase: HeldPhase
}

export interface OpenedSession extends SessionSummary {
  readonly motd: string
}

/** What the service tells observers. `sessionId` names the terminal; the event says the rest. */
export type TerminalEvent =
  | BackendEvent
  | { readonly type: 'opened'; readonly summary: SessionSummary; readonly owner: TerminalOwner }
  | { readonly type: 'resized'; readonly size: TerminalSize }
  | { readonly type: 'claimed'; readonly claim: TerminalClaim }
  | { readonly type: 'closed'; readonly killed: boolean }

/** `ctx.terminals`: the one door. Every call by an owner is checked against owner, claim and reservation exactly once, here. */
export interface TerminalSessions {
  /**
   * Offer a kind of terminal until released or until the caller's scope ends. Sessions of a withdrawn backend live on
   * until they are closed.
   * @throws TerminalError `TYPE_TAKEN`.
   * @returns a release.
   */
  registerBackend(backend: TerminalBackend): () => void
  backends(): readonly Pick<TerminalBackend, 'type' | 'description'>[]

  /**
   * Open a terminal. Resolves after publication. An abort rejects with the signal's exact `reason`, once the backend has
   * come back and what it had started is gone (or after `abortWaitMs`); a clean-up that fails stays owner activity.
   * @throws TerminalError `UNKNOWN_TYPE`, `NAME_INVALID`, `NAME_TAKEN`, `LIMIT_REACHED`, `SIZE_INVALID`, `OWNER_GONE`,
   * `DISPOSED`, or the backend's code (`CWD_MISSING`, `SHELL_MISSING`, `SPAWN_FAILED`, …).
   */
  spawn(owner: TerminalOwner, request: SpawnRequest): Promise<OpenedSession>
  /**
   * Reserve the terminal and start sending, in this very call. The reservation ends when the outcome is known.
   * @throws TerminalError `UNKNOWN_SESSION`, `SESSION_ENDED`, `SESSION_CLOSING`, `CLAIMED_BY_CLIENT` or `SEND_ACTIVE`,
   * before anything is written.
   */
  send(owner: TerminalOwner, id: TerminalSessionId, request: SendRequest): TerminalSend
  read(owner: TerminalOwner, id: TerminalSessionId, request: ReadRequest): ScrollbackPage
  /** What a person would see. @throws TerminalError `UNSUPPORTED`. */
  screen(owner: TerminalOwner, id: TerminalSessionId, request: ScreenRequest): Promise<ScreenSnapshot>
  /** @throws TerminalError `UNSUPPORTED`, `PATTERN_INVALID`. */
  search(owner: TerminalOwner, id: TerminalSessionId, request: SearchRequest): Promise<SearchResult>
  signal(owner: TerminalOwner, id: TerminalSessionId, signal: TerminalSignal): Promise<SignalDelivery>
  /** @throws TerminalError `SIZE_INVALID`, `CLAIMED_BY_CLIENT` while a person looks at it, `SESSION_ENDED`, `SESSION_CLOSING`. */
  resize(owner: TerminalOwner, id: TerminalSessionId, size: TerminalSize): void
  /**
   * End the terminal and await its process tree; an active send is cancelled and awaited first. Joins a close under way;
   * tries again after a failed one. Reports `killed: false` for a terminal that had ended by itself.
   * @throws TerminalError `CLEANUP_FAILED` naming what is left; `CLAIMED_BY_CLIENT` while a person works in it.
   */
  close(owner: TerminalOwner, id: TerminalSessionId): Promise<CloseReport>
  /**
   * Live processes of the terminal beside its shell, also after the shell's end: what a close would have to end. Costs a look
   * at the whole machine. `undefined` when the backend cannot know.
   */
  remaining(owner: TerminalOwner, id: TerminalSessionId): Promise<readonly RemainingProcess[] | undefined>
  /**
   * Whether what is typed into the terminal now goes to a program that reads it with echo off: then it is a secret and must not be
   * kept. Without an answer from the backend it is not.
   */
  takesSecret(owner: TerminalOwner, id: TerminalSessionId): Promise<boolean>
  get(owner: TerminalOwner, id: TerminalSessionId): SessionSummary
  list(owner: TerminalOwner): readonly SessionSummary[]

  /** Whether the owner has a terminal, a spawn under way, or a clean-up that failed: without a gap from spawn to close. */
  hasOwnerActivity(owner: TerminalOwner): boolean
  /**
   * Terminals of the owner that hold processes or are about to: open, being opened or closed, and those whose clean-up
   * failed. One whose shell has ended is not among them, although it can still be read.
   */
  listHeld(owner: TerminalOwner): readonly HeldTerminal[]
  /** Owners with activity. For policies that must find an owner by its session. */
  activeOwners(): readonly TerminalOwner[]
  /**
   * Close everything of an owner and refuse anything new. Runs when the owner's scope ends; a second call joins the first. A
   * running terminal that a client holds passes to that client instead.
   * @throws TerminalCleanupError with all failures together.
   */
  releaseOwner(owner: TerminalOwner): Promise<void>

  /** The view of trusted observers (bridges): every terminal, whoever owns it. Not reachable by an agent. */
  readonly observers: TerminalObservers
}

/** Watching and taking over, for bridges that speak for people. */
export interface TerminalObservers {
  list(): readonly SessionSummary[]
  get(id: TerminalSessionId): SessionSummary | undefined
  /** Scrollback for a late viewer. */
  read(id: TerminalSessionId, request: ReadRequest): ScrollbackPage
  /** Observe events of one terminal, or of all with `'*'`. A listener that throws is logged; none can slow a terminal. @returns a release. */
  on(id: TerminalSessionId | '*', listener: (id: TerminalSessionId, event: TerminalEvent) => void): () => void
  /**
   * Hand the keyboard to a client or back to the owner. Who may ask for this is the bridge's decision. Claiming what is
   * already so changes nothing and announces nothing. Widening the owner's claim while a tool call's send has narrowed it lets
   * that send return at once, as after its time: its program goes on in the background.
   * @throws TerminalError `UNKNOWN_SESSION`, `SESSION_CLOSING`, or `OWNER_GONE` when there is no owner to hand it back to.
   */
  claim(id: TerminalSessionId, claim: TerminalClaim): void
  /**
   * Input by the client that holds the claim, as typed. With `holder: 'any'` the claim is not asked for: the bridge has
   * decided that this client may type beside whoever holds it.
   * @throws TerminalError `CLAIM_REQUIRED` when the owner holds it, `CLAIMED_BY_CLIENT` when another client does,
   * `SESSION_ENDED`, `SESSION_CLOSING`, `UNKNOWN_SESSION`.
   */
  input(
    id: TerminalSessionId,
    clientId: string,
    data: string,
    options?: { readonly holder: 'client' | 'any' },
  ): Promise<void>
  /** @throws TerminalError `SIZE_INVALID`, `SESSION_ENDED`, `SESSION_CLOSING`, `UNKNOWN_SESSION`. */
  resize(id: TerminalSessionId, size: TerminalSize): void
  /** End a terminal whoever owns it. */
  close(id: TerminalSessionId): Promise<CloseReport>
}

declare module '@deepseek-ai/cordis' {
  interface Context {
    terminals: TerminalSessions
  }
  interface Events {
    /** Everything that happens to any terminal, in order per terminal. */
    'terminal/event'(id: TerminalSessionId, event: TerminalEvent): void
  }
}
