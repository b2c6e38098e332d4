/** Opening a terminal, and what is known of one at a moment. */
import type { HeldPhase, SessionStatus, TerminalClaim } from '../core/index.js'
import type { PromptDetection, TerminalConfinement, TerminalSessionId, TerminalSize } from './vocabulary.js'

export interface SpawnRequest {
  readonly type: string
  /** Display name, unique among the owner's terminals. 1 to 64 characters, no control characters. */
  readonly name?: string
  /** Absolute, or relative to the owner's directory. */
  readonly cwd?: string
  readonly size?: TerminalSize
  readonly signal?: AbortSignal
}

/** One terminal as its owner, or a trusted observer, sees it. */
export interface SessionSummary {
  readonly sessionId: TerminalSessionId
  readonly name: string | undefined
  readonly type: string
  readonly pid: number
  readonly status: SessionStatus
  readonly claim: TerminalClaim
  readonly size: TerminalSize
  readonly cwd: string | undefined
  readonly foreground: string | undefined
  readonly title: string | undefined
  readonly idleMs: number
  readonly sending: boolean
  readonly openedAt: number
  readonly promptDetection: PromptDetection
  readonly evidence: readonly string[]
}

/** A terminal that its owner's session is bound to: it keeps the sandbox it was started with. */
export interface HeldTerminal {
  readonly sessionId: TerminalSessionId
  readonly name: string | undefined
  readonly phase: HeldPhase
}

export interface OpenedSession extends SessionSummary {
  readonly motd: string
  /** Absent without confinement, and when nothing is known of it. */
  readonly confinement?: TerminalConfinement
}
