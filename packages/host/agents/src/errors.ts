/** The closed list of agent failures. */
export const AGENT_ERRORS = {
  CWD_INVALID: 'The working directory is not absolute, does not exist or is not a directory.',
  ID_INVALID: 'The requested id is empty, too long or has control characters.',
  ID_TAKEN: 'A live agent already has the requested id.',
  DISPOSED: 'The agents service is shutting down, or the agent has ended.',
  DATA_INVALID: 'The data of a session event is not plain JSON.',
  CLEANUP_FAILED: 'Parts of an agent could not be released.',
} as const
export type AgentErrorCode = keyof typeof AGENT_ERRORS

/** A failure with a code to branch on and a message that says what to do next. */
export class AgentError extends Error {
  override readonly name: string = 'AgentError'

  constructor(
    readonly code: AgentErrorCode,
    message: string,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options)
  }
}

/** An agent has ended, but not everything it owned could be released. `errors` holds each failure once. */
export class AgentCleanupError extends AgentError {
  override readonly name = 'AgentCleanupError'

  constructor(
    agentId: string,
    readonly errors: readonly unknown[],
  ) {
    const reasons = errors.map((error) => `\n- ${error instanceof Error ? error.message : String(error)}`).join('')
    super('CLEANUP_FAILED', `Agent ${agentId} has ended, but could not release everything it owned:${reasons}`)
  }
}
