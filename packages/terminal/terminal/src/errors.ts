/** The closed list of terminal failures, in one place. `docs/tools.md` shows it; a test keeps both equal. */
export const TERMINAL_ERRORS = {
  UNKNOWN_TYPE: 'No backend is registered for the requested type.',
  TYPE_TAKEN: 'Another backend is registered for the type.',
  NAME_INVALID: 'The name is empty, too long or has control characters.',
  NAME_TAKEN: 'Another terminal of this owner has the name.',
  CWD_INVALID: 'The working directory is empty or has a NUL character.',
  CWD_MISSING: 'The working directory does not exist.',
  CWD_NOT_A_DIRECTORY: 'The working directory is not a directory.',
  CWD_HIDDEN: 'The working directory does not exist inside the sandbox.',
  SHELL_MISSING: 'The configured shell cannot be executed.',
  PTY_UNAVAILABLE: 'The system could not provide a pseudoterminal.',
  SPAWN_FAILED: 'The backend could not start the terminal.',
  SPAWN_TIMEOUT: 'The terminal did not become ready in time.',
  SANDBOX_UNAVAILABLE: 'The required sandbox mode cannot be provided here.',
  LIMIT_REACHED: 'The owner has as many terminals as it may have.',
  OWNER_GONE: 'The owner has ended.',
  DISPOSED: 'The terminal service is shutting down.',
  UNKNOWN_SESSION: 'No terminal with this id belongs to the caller.',
  SESSION_ENDED: 'The terminal has ended.',
  SESSION_CLOSING: 'The terminal is being closed.',
  SEND_ACTIVE: 'Another send is still active on the terminal.',
  CLAIMED_BY_CLIENT: 'A person holds the keyboard of the terminal.',
  CLAIM_REQUIRED: 'The client does not hold the keyboard of the terminal.',
  SIZE_INVALID: 'Columns and rows are not whole numbers within the bounds.',
  KEY_UNKNOWN: 'A key of the input has no known name.',
  PATTERN_INVALID: 'The pattern is empty, too long or no regular expression of linear-time syntax.',
  UNSUPPORTED: 'The terminal’s backend does not offer this, or this deployment has it switched off.',
  INPUT_TOO_LONG: 'A line is longer than the reading program can receive.',
  SIGNAL_INVALID: 'The signal is not one of the allowed ones.',
  SIGNAL_REFUSED: 'The signal would end the shell itself.',
  NO_FOREGROUND: 'The foreground process group could not be determined.',
  CLEANUP_FAILED: 'Processes of the terminal could not be ended.',
} as const
export type TerminalErrorCode = keyof typeof TERMINAL_ERRORS

/** A failure with a code to branch on and a message that says what to do next. */
export class TerminalError extends Error {
  override readonly name = 'TerminalError'
  readonly code: TerminalErrorCode

  constructor(code: TerminalErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}

/** Several clean-ups failed together. Every failure is in `errors`, and named in the message. */
export class TerminalCleanupError extends TerminalError {
  constructor(
    message: string,
    readonly errors: readonly unknown[],
  ) {
    super('CLEANUP_FAILED', message, { cause: errors[0] })
  }
}

/**
 * A backend's failed start-up left something behind. Seed, "Agent ownership and identity": the failed clean-up stays the
 * owner's activity until a disposal reports it, and never replaces a caller's own cancellation.
 */
export class TerminalBackendCleanupError extends Error {
  override readonly name = 'TerminalBackendCleanupError'

  /**
   * @param startupError - why the start failed.
   * @param cleanup - tries the clean-up again; rejects while something is still left.
   */
  constructor(
    readonly startupError: unknown,
    readonly cleanupError: unknown,
    readonly cleanup: () => Promise<void>,
  ) {
    super('Clean-up after a failed start did not finish', { cause: cleanupError })
  }
}
