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
  readonly events: readonly SessionEvent[]
  append<Type extends SessionEventType>(type: Type, data: SessionEventMap[Type]): SessionEvent<Type>
  /**
   * Run `check` before every append; throwing refuses the event and nothing is recorded.
   * @returns a release.
   */
  guard(check: (type: SessionEventType, data: unknown) => void): () => void
  /** Observe appended events. A listener that throws is logged and does not reach the writer. @returns a release. */
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
  /** End the agent. Resolves when everything it owned is gone; failures of owned parts are reported together. */
  dispose(): Promise<void>
}

/** `ctx.agents` */
export interface AgentsService {
  /** Start an agent in its own scope below the service. @throws AgentError `CWD_INVALID` | `DISPOSED`. */
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
