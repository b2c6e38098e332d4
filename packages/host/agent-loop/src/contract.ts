/** The agent loop's contract: what runs a prompt to its end. */
import type { Agent } from '@agent-terminals/agents/contract'
import type {} from '@deepseek-ai/cordis'

/** Why a turn ended. */
export type TurnOutcome =
  | { readonly kind: 'completed'; readonly text: string }
  | { readonly kind: 'step-limit'; readonly steps: number }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }

/** `ctx.agentLoop` */
export interface AgentLoopService {
  /**
   * Run one prompt: the model answers, its tool calls go through `ctx.tools`, until it stops. Everything is logged on the
   * agent's session. Never rejects; cancellation is an outcome.
   */
  run(
    agent: Agent,
    prompt: string,
    options?: { readonly signal?: AbortSignal; readonly onText?: (delta: string) => void },
  ): Promise<TurnOutcome>
}

declare module '@deepseek-ai/cordis' {
  interface Context {
    agentLoop: AgentLoopService
  }
}
