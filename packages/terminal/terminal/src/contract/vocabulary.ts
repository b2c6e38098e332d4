/** Words that every part of the contract uses: owners, states, sizes. */
import type { SessionLog } from '@agent-terminals/agents/contract'
import type { Context } from '@deepseek-ai/cordis'

declare const brand: unique symbol
/** Opaque id minted by the service. Knowing it authorises nothing. */
export type TerminalSessionId = string & { readonly [brand]: 'TerminalSessionId' }

/** Who owns a terminal: compared by object identity, never by `id`. An `Agent` is one. */
export interface TerminalOwner {
  readonly id: string
  /** The owner's scope. When it ends, every terminal of the owner is closed and awaited. */
  readonly ctx: Context
  /** Absolute directory in which new terminals start unless the request names another. */
  readonly cwd: string
  readonly session?: SessionLog
  /** Where a release on `ctx` hands over its own failure, so that whoever ends the owner hears of it. Cordis only logs one that throws. */
  recordFailure?(error: unknown): void
}

/** Signals a caller may send. Seed: the closed set of `terminal_signal`. */
export const TERMINAL_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGKILL', 'SIGTSTP', 'SIGHUP'] as const
export type TerminalSignal = (typeof TERMINAL_SIGNALS)[number]

/** Why a send returned. Seed, "Six model-facing tools". Independent of the session status. */
export const WAIT_REASONS = ['stdin_read', 'inferred_idle', 'timeout', 'session_exit'] as const
/** `output_match` only for a send that asked with `waitFor`. */
export type TerminalWaitReason = (typeof WAIT_REASONS)[number] | 'output_match'

/** What the terminal is doing, in words a model can act on. Architecture §4.2. */
export const TERMINAL_STATES = [
  'prompt',
  'continuation',
  'line',
  'hidden',
  'key',
  'fullscreen',
  'busy',
  'quiet',
  'stopped',
  'ended',
] as const
export type TerminalState = (typeof TERMINAL_STATES)[number]

/** Whether the shell's own marks can be trusted: `lost` after the shell was replaced or its hooks removed; `none` without integration. */
export type PromptDetection = 'active' | 'lost' | 'none'

/** What is left to the programs of a confined terminal, for whoever works in it. */
export interface TerminalConfinement {
  /** Name of the confinement, such as the sandbox mode `workspace-write`. */
  readonly mode: string
  /** Directories in which files can be written, absolute, as they are called in the terminal. The temporary one is not among them. */
  readonly writable: readonly string[]
  /** Where temporary files can be written, as it is called in the terminal. It is removed with the terminal. */
  readonly temporaryDirectory?: string
  readonly network: 'allow' | 'deny'
}

export interface TerminalSize {
  readonly columns: number
  readonly rows: number
}
