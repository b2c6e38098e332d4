/** The plain API: no contexts, no owners, no plugins. */
import type { Agent } from '@agent-terminals/agents/contract'
import type {
  CloseReport,
  OpenedSession,
  ReadRequest,
  RemainingProcess,
  ScrollbackPage,
  SendRequest,
  SendResult,
  SessionSummary,
  SignalDelivery,
  SpawnRequest,
  TerminalEvent,
  TerminalSignal,
  TerminalSize,
} from '@agent-terminals/terminal'
import type { Context } from '@deepseek-ai/cordis'

/** What to open; everything is optional. `type` is `shell` unless another backend has been mounted on `ctx`. */
export type OpenRequest = Omit<SpawnRequest, 'type'> & { readonly type?: string }

/** How to send; `submit` is true unless given. */
export type SendOptions = Omit<SendRequest, 'text' | 'submit'> & { readonly submit?: boolean }

export type TerminalEventType = TerminalEvent['type']
export type TerminalEventOf<Type extends TerminalEventType> = Extract<TerminalEvent, { readonly type: Type }>

/**
 * Terminals of one owner. Calls reject with a `TerminalError` whose `code` is one of `TERMINAL_ERRORS`; the types of requests and
 * results say more.
 */
export interface Terminals extends AsyncDisposable {
  /** Start a terminal and wait for its first prompt. */
  open(request?: OpenRequest): Promise<OpenedSession>
  /**
   * Type text, press Enter, and wait until the terminal is ready. The result says why it returned (`waitReason`) and what the
   * terminal does now (`state`).
   * @throws the signal's own reason when it is aborted: the program has then been interrupted, and its output can be read.
   */
  send(sessionId: string, text: string, options?: SendOptions): Promise<SendResult>
  /** A page of retained output, from the newest line backward. */
  read(sessionId: string, request?: ReadRequest): ScrollbackPage
  /** Signal whatever is in the foreground. */
  signal(sessionId: string, signal: TerminalSignal): Promise<SignalDelivery>
  /** Live processes beside the shell, also after its end. `undefined` when that cannot be known here. */
  remaining(sessionId: string): Promise<readonly RemainingProcess[] | undefined>
  resize(sessionId: string, size: TerminalSize): void
  /** End a terminal and everything started in it. @throws TerminalError `CLEANUP_FAILED` naming what is left. */
  close(sessionId: string): Promise<CloseReport>
  get(sessionId: string): SessionSummary
  list(): readonly SessionSummary[]
  /** Observe events of all terminals. A listener that throws goes to `onLog`; none can slow a terminal. @returns a release. */
  on<Type extends TerminalEventType>(
    type: Type,
    listener: (event: TerminalEventOf<Type>, sessionId: string) => void,
  ): () => void
  /**
   * Close every terminal and stop. Repeated calls join.
   * @throws AgentCleanupError with everything that could not be ended, after all the rest is gone.
   */
  dispose(): Promise<void>

  /** What a model should know about the tools: part of a system prompt. */
  readonly guidance: string
  /** The Cordis context beneath, for mounting further plugins: a bridge, another backend. */
  readonly ctx: Context
  /** The agent that owns the terminals. Tools run in its name. */
  readonly agent: Agent
}
