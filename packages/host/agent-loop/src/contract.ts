/** The agent loop's contract: what runs a prompt to its end. */
import type { Agent } from '@agent-terminals/agents/contract'
import type { ToolProgress } from '@agent-terminals/tools/contract'
import type {} from '@deepseek-ai/cordis'

/** Why a turn ended. */
export type TurnOutcome =
  | { readonly kind: 'completed'; readonly text: string }
  | { readonly kind: 'step-limit'; readonly steps: number }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly code: TurnFailureCode; readonly message: string }

/** The closed list of ways a turn can fail. */
export const TURN_FAILURES = {
  TURN_ACTIVE: 'Another prompt of the agent is still running.',
  API_KEY_MISSING: 'The environment variable that holds the API key is not set.',
  MODEL_UNREACHABLE: 'The model endpoint could not be reached, or broke off.',
  MODEL_REFUSED: 'The model endpoint answered with an error status.',
  MODEL_RATE_LIMITED: 'The model endpoint kept answering that there are too many requests.',
  MODEL_PROTOCOL: 'The model endpoint sent something that is not the streaming protocol.',
  SCRIPT_EXHAUSTED: 'The script has no entry for this prompt.',
  SCRIPT_MISMATCH: 'A result differs from what the script expects.',
  INTERNAL: 'The loop itself failed: the message is the error.',
} as const
export type TurnFailureCode = keyof typeof TURN_FAILURES

export interface RunOptions {
  readonly signal?: AbortSignal
  readonly onText?: (delta: string) => void
  /** Everything a running call reports, at once and unbounded; the log has it merged and cut. */
  readonly onProgress?: (callId: string, progress: ToolProgress) => void
}

/** `ctx.agentLoop` */
export interface AgentLoopService {
  /**
   * Run one prompt: the model answers, its tool calls go through `ctx.tools` one after another, until it stops calling.
   * The agent's log is the only memory: messages are rebuilt from it at every step. Never rejects; cancelling, and the end
   * of the agent, are outcomes.
   */
  run(agent: Agent, prompt: string, options?: RunOptions): Promise<TurnOutcome>
}

declare module '@deepseek-ai/cordis' {
  interface Context {
    agentLoop: AgentLoopService
  }
}

declare module '@agent-terminals/agents/contract' {
  interface SessionEventMap {
    /** Tokens of one model step, as far as the endpoint reported them. */
    'model/usage': { readonly inputTokens: number | null; readonly outputTokens: number | null }
    'turn/ended': { readonly outcome: TurnOutcome }
  }
}
