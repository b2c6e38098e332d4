/** From whatever went wrong to an error with a code and advice. */
import type { Refusal } from './core/index.js'
import { TERMINAL_ERRORS, TerminalBackendCleanupError, TerminalError, type TerminalErrorCode } from './errors.js'
import type { ExitStatus } from './types.js'

/** Codes of the process layer that mean the same as one of ours under another name. */
const EQUIVALENTS: Readonly<Record<string, TerminalErrorCode>> = {
  EXECUTABLE_MISSING: 'SHELL_MISSING',
  UNSUPPORTED_PLATFORM: 'PTY_UNAVAILABLE',
  SHELL_KILL: 'SIGNAL_REFUSED',
  SURVIVORS: 'CLEANUP_FAILED',
}

function codeOf(error: unknown): TerminalErrorCode | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined
  const { code } = error
  return code in TERMINAL_ERRORS ? (code as TerminalErrorCode) : EQUIVALENTS[code]
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** @returns the error itself when it has one of our codes; otherwise one with the code it stands for, or `fallback`. */
export function toTerminalError(error: unknown, fallback: TerminalErrorCode): TerminalError {
  if (error instanceof TerminalError) return error
  return new TerminalError(codeOf(error) ?? fallback, messageOf(error), { cause: error })
}

/** @returns an error with our code when the failure has one; otherwise the failure as it is. */
export function withTerminalCode(error: unknown): unknown {
  const code = error instanceof TerminalError ? undefined : codeOf(error)
  return code ? new TerminalError(code, messageOf(error), { cause: error }) : error
}

/** What `spawn` rejects with when a backend failed to start. */
export function toSpawnError(error: unknown): TerminalError {
  if (!(error instanceof TerminalBackendCleanupError)) return toTerminalError(error, 'SPAWN_FAILED')
  const { code, message } = toTerminalError(error.startupError, 'SPAWN_FAILED')
  const note = `What it had started could not be ended yet (${messageOf(error.cleanupError)}); that is tried again when the owner ends.`
  return new TerminalError(code, `${message} ${note}`, { cause: error })
}

function describeExit(status: ExitStatus): string {
  return status.kind === 'exited' ? `ended with exit code ${status.exitCode}` : `was ended by ${status.signal}`
}

/** @returns the error for an operation that a terminal's state does not allow. */
export function toRefusalError(refusal: Refusal): TerminalError {
  switch (refusal.code) {
    case 'SESSION_ENDED': {
      const fact = `The terminal ${describeExit(refusal.status)}.`
      return new TerminalError(
        'SESSION_ENDED',
        `${fact} Its output can still be read. Close it and open another to go on.`,
      )
    }
    case 'SESSION_CLOSING':
      return new TerminalError(
        'SESSION_CLOSING',
        refusal.failed
          ? 'The terminal could not be closed completely. Close it again, or open another.'
          : 'The terminal is being closed. Open another.',
      )
    case 'SEND_ACTIVE':
      return new TerminalError(
        'SEND_ACTIVE',
        'Another send is still active on this terminal; nothing was written. Wait for it, cancel it, or use another terminal.',
      )
    case 'CLAIMED_BY_CLIENT':
      return new TerminalError(
        'CLAIMED_BY_CLIENT',
        'A person has taken over this terminal. It can be read and listed meanwhile; go on when it is handed back, or use another terminal.',
      )
    case 'CLAIM_REQUIRED':
      return new TerminalError(
        'CLAIM_REQUIRED',
        'The client does not hold the keyboard of this terminal. Claim it first.',
      )
  }
}
