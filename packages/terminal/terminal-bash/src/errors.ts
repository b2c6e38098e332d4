/** Failures of the host services, told as terminal failures with advice. */
import type { SubprocessErrorCode } from '@agent-terminals/subprocess/contract'
import { TerminalError, type TerminalErrorCode } from '@agent-terminals/terminal'

const CODES: Readonly<Record<SubprocessErrorCode, TerminalErrorCode>> = {
  CWD_MISSING: 'CWD_MISSING',
  CWD_NOT_A_DIRECTORY: 'CWD_NOT_A_DIRECTORY',
  EXECUTABLE_MISSING: 'SHELL_MISSING',
  PTY_UNAVAILABLE: 'PTY_UNAVAILABLE',
  UNSUPPORTED_PLATFORM: 'SPAWN_FAILED',
  EXITED: 'SESSION_ENDED',
  NO_FOREGROUND: 'NO_FOREGROUND',
  SHELL_KILL: 'SIGNAL_REFUSED',
  SIGNAL_FAILED: 'NO_FOREGROUND',
  DISPOSED: 'DISPOSED',
}

const ADVICE: Readonly<Partial<Record<SubprocessErrorCode, string>>> = {
  CWD_MISSING: 'Create it or open the terminal in another directory.',
  CWD_NOT_A_DIRECTORY: 'Open the terminal in a directory.',
  EXECUTABLE_MISSING: 'Install it, or set `shell` in the configuration of terminal-bash to the path of a bash.',
  NO_FOREGROUND: 'Close the terminal if its program does not answer.',
  SIGNAL_FAILED: 'Look at the terminal again: the program may have ended meanwhile.',
  SHELL_KILL: 'Close the terminal to end its shell.',
}

function isCoded(error: unknown): error is Error & { readonly code: SubprocessErrorCode } {
  if (!(error instanceof Error)) return false
  const { code } = error as { readonly code?: unknown }
  return typeof code === 'string' && Object.hasOwn(CODES, code)
}

/** A host failure as a terminal failure; a terminal failure as it is. */
export function toTerminalError(error: unknown, fallback: TerminalErrorCode): TerminalError {
  if (error instanceof TerminalError) return error
  const message = error instanceof Error ? error.message : String(error)
  if (!isCoded(error)) return new TerminalError(fallback, message, { cause: error })
  const advice = ADVICE[error.code]
  return new TerminalError(CODES[error.code], advice ? `${message} ${advice}` : message, { cause: error })
}
