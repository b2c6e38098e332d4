/** Failures of registering, thrown at the plugin that registers. */
export const TOOL_ERRORS = {
  NAME_INVALID: 'The tool name has characters that models may not use.',
  DUPLICATE_TOOL: 'A tool with the same name is registered.',
  DUPLICATE_GUIDANCE: 'A guidance section with the same id is contributed.',
  SCHEMA_INVALID: 'The input schema is not a zod object, or a schema cannot be written as JSON Schema.',
  UNKNOWN_TOOL: 'No tool has this name.',
} as const
export type ToolErrorCode = keyof typeof TOOL_ERRORS

/** A failure with a code to branch on and a message that says what to do next. */
export class ToolError extends Error {
  override readonly name = 'ToolError'

  constructor(
    readonly code: ToolErrorCode,
    message: string,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options)
  }
}

/**
 * Codes that the pipeline itself puts on an error result. A tool or a hook may use others: an error thrown with a string
 * `code` keeps it.
 */
export const RESULT_CODES = {
  UNKNOWN_TOOL: 'No tool has this name.',
  INVALID_ARGUMENTS: 'The arguments do not fit the parameters; nothing was done.',
  REFUSED: 'A policy refused the call before it ran; nothing was done.',
  BLOCKED: 'The call ran, and a policy withheld its result.',
  TOOL_FAILED: 'The tool failed with an error that carries no code.',
  HOOK_FAILED: 'A policy check failed itself, so the call or its result was refused.',
  INVALID_RESULT: 'The tool or a hook returned something that is not a result.',
  FINALIZE_FAILED: 'The result could not be brought into its final form.',
  LOG_REFUSED: 'The session log refused to record the result, so it was withheld.',
  CANCELLED: 'The caller cancelled the call.',
  AGENT_ENDED: 'The agent ended before the call did.',
  DISPOSED: 'The tools service is shutting down.',
} as const
export type ResultCode = keyof typeof RESULT_CODES

/** Why a call was ended from above, as the tool sees it in `exec.signal.reason`. */
export class CallEndedError extends Error {
  override readonly name = 'CallEndedError'

  constructor(readonly code: 'AGENT_ENDED' | 'DISPOSED') {
    super(RESULT_CODES[code])
  }
}
