/** Persistent terminals in any Node program: `createTerminals(options)`. */

export type {
  CloseReport,
  OpenedSession,
  ReadRequest,
  RemainingProcess,
  ScrollbackPage,
  SendProgress,
  SendResult,
  SessionSummary,
  SignalDelivery,
  TerminalEvent,
  TerminalSignal,
  TerminalSize,
  TerminalState,
  TerminalWaitReason,
} from '@agent-terminals/terminal'
export {
  TERMINAL_ERRORS,
  TERMINAL_SIGNALS,
  TERMINAL_STATES,
  TerminalError,
  type TerminalErrorCode,
  WAIT_REASONS,
} from '@agent-terminals/terminal'
export { createTerminals } from './create-terminals.js'
export { EMBED_ERRORS, EmbedError, type EmbedErrorCode } from './errors.js'
export type { LogEntry, TerminalsOptions } from './options.js'
export type * from './types.js'
