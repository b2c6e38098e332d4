/** `ctx.terminals`: what owners and observers can ask. */
import type {} from '@deepseek-ai/cordis'
import type { TerminalClaim } from '../core/index.js'
import type { ScreenRequest, ScreenSnapshot, SearchRequest, SearchResult } from '../views.js'
import type { CloseReport, RemainingProcess, SignalDelivery, TerminalBackend } from './backend.js'
import type { TerminalEvent } from './events.js'
import type { ReadRequest, ScrollbackPage } from './read.js'
import type { SendRequest, TerminalSend } from './send.js'
import type { HeldTerminal, OpenedSession, SessionSummary, SpawnRequest } from './summary.js'
import type { TerminalOwner, TerminalSessionId, TerminalSignal, TerminalSize } from './vocabulary.js'

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
   * @throws TerminalError `UNKNOWN_TYPE`, `NAME_INVALID`, `NAME_TAKEN`, `CWD_INVALID`, `LIMIT_REACHED`, `SIZE_INVALID`,
   * `OWNER_GONE`, `DISPOSED`, or the backend's code (`CWD_MISSING`, `SHELL_MISSING`, `SPAWN_FAILED`, …).
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
   * tries again after a failed one. Reports `killed: true` when something alive had to be
   * ended: the shell, or a process that it left behind.
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
