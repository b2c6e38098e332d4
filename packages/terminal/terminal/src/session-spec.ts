import type { TerminalBackend, TerminalOwner, TerminalSessionId, TerminalSize } from './types.js'

/** What a terminal is, once its request has been resolved. */
export interface SessionSpec {
  readonly sessionId: TerminalSessionId
  readonly name: string | undefined
  readonly backend: TerminalBackend
  readonly owner: TerminalOwner
  readonly cwd: string
  readonly size: TerminalSize
  /** Epoch milliseconds. */
  readonly openedAt: number
}
