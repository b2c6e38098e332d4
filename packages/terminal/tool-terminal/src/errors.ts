/** Failures of the tools themselves. Failures of a terminal keep the code of `TerminalError`. */
export const TOOL_TERMINAL_ERRORS = {
  NO_JOB_SURFACE: 'run_in_background was asked for where no job service is mounted.',
  BACKGROUND_DISABLED: 'run_in_background was forced although this deployment has switched it off.',
  SEND_CANCELLED: 'The send was ended by something other than its caller.',
} as const
export type ToolTerminalErrorCode = keyof typeof TOOL_TERMINAL_ERRORS

/** A refusal with a code to branch on and a message that says what to do next. Nothing has been written to the terminal. */
export class ToolTerminalError extends Error {
  override readonly name = 'ToolTerminalError'

  constructor(
    readonly code: ToolTerminalErrorCode,
    message: string,
  ) {
    super(message)
  }
}
