import type { SubprocessErrorCode } from './contract.js'

/** What the codes of the contract's closed list mean. */
export const SUBPROCESS_ERRORS: Readonly<Record<SubprocessErrorCode, string>> = {
  CWD_MISSING: 'The working directory is not absolute, does not exist or cannot be entered.',
  CWD_NOT_A_DIRECTORY: 'The working directory is not a directory.',
  EXECUTABLE_MISSING: 'The program to start, or the interpreter of a script, cannot be executed.',
  PTY_UNAVAILABLE: 'The system could not provide a pseudoterminal.',
  UNSUPPORTED_PLATFORM: 'Terminals cannot be started on this platform.',
  EXITED: 'The terminal has ended.',
  NO_FOREGROUND: 'Which process group holds the terminal could not be determined; nothing was signalled.',
  SHELL_KILL: 'SIGKILL would end the top-level process itself.',
  SIGNAL_FAILED: 'The system refused the signal.',
  DISPOSED: 'The subprocess service is shutting down.',
}

/** A failure with a code of the contract's closed list and a message that says what to do next. */
export class SubprocessError extends Error {
  override readonly name = 'SubprocessError'

  constructor(
    readonly code: SubprocessErrorCode,
    message: string,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options)
  }
}
