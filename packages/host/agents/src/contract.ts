/** The agents contract: live agents, their scopes, and the event log each session is rebuilt from. */
import type { Context } from '@deepseek-ai/cordis'

/** One entry of a session's append-only log. `seq` counts from 1 without gaps; `at` is epoch milliseconds. */
export interface SessionEvent<Type extends SessionEventType = SessionEventType> {
  readonly seq: number
  readonly at: number
  readonly type: Type
  readonly data: SessionEventMap[Type]
}

/**
 * Event types by name. Packages add theirs by declaration merging beside the code that writes them.
 * Data is plain JSON: what reached the model can be rebuilt from the log alone.
 */
export interface SessionEventMap {
  'session/started': { readonly cwd: string }
  'message/user': { readonly text: string }
  'message/agent': { readonly text: string }
}
export type SessionEventType = keyof SessionEventMap & string

/** The append-only log of one agent's session. */
export interface SessionLog {
  readonly id: string
  /** What has been recorded so far: a frozen snapshot that later events do not change. */
  readonly events: readonly SessionEvent[]
  /**
   * Record an event. Its data is copied and deep-frozen.
   * @throws AgentError `DATA_INVALID` when the data is not plain JSON, `DISPOSED` when the session has ended, or what a guard threw.
   */
  append<Type extends SessionEventType>(type: Type, data: SessionEventMap[Type]): SessionEvent<Type>
  /**
   * Run `check` before every append; throwing refuses the event and nothing is recorded.
   * @returns a release.
   */
  guard(check: (type: SessionEventType, data: unknown) => void): () => void
  /** Observe appended events, in order. A listener that throws is logged and does not reach the writer. @returns a release. */
  onEvent(listener: (event: SessionEvent) => void): () => void
}

/** A live agent. The exact object is the authority: ids and names never authorise. */
export interface Agent {
  readonly id: string
  /** Scope of everything the agent owns; disposing it awaits all of that. */
  readonly ctx: Context
  readonly session: SessionLog
  /** Absolute working directory of the session. */
  readonly cwd: string
  readonly alive: boolean
  /**
   * Record that something the agent owned could not be released. Cordis only logs a release that throws; a release that
   * catches its own failure and hands it over here is heard by whoever awaits `dispose`.
   */
  recordFailure(error: unknown): void
  /**
   * End the agent: `alive` turns false at once, everything it owns is released and awaited, then the log is sealed.
   * Repeated calls join.
   * @throws AgentCleanupError (`CLEANUP_FAILED`) with every recorded failure, after all the rest is gone.
   */
  dispose(): Promise<void>
}

/** `ctx.agents` */
export interface AgentsService {
  /** Start an agent in its own scope below the service. @throws AgentError `CWD_INVALID` | `ID_INVALID` | `ID_TAKEN` | `DISPOSED`. */
  create(options: { readonly cwd: string; readonly id?: string }): Promise<Agent>
  get(id: string): Agent | undefined
  list(): readonly Agent[]
}

declare module '@deepseek-ai/cordis' {
  interface Context {
    agents: AgentsService
  }
  interface Events {
    'agent/created'(agent: Agent): void
    'agent/disposed'(agent: Agent): void
  }
}
