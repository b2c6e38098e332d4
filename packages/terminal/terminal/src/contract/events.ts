/** What happens to a terminal: as its backend reports it, and as observers hear of it. */
import type { SessionStatus, TerminalClaim } from '../core/index.js'
import type { SessionSummary } from './summary.js'
import type { TerminalOwner, TerminalSize } from './vocabulary.js'

export type BackendEvent =
  /** Output bytes with the backend's private marks removed and everything else untouched. Borrowed from the backend; observers own them. */
  | { readonly type: 'data'; readonly bytes: Uint8Array }
  | { readonly type: 'command-executed'; readonly commandId: string; readonly commandLine: string }
  | {
      readonly type: 'command-finished'
      readonly commandId: string
      readonly exitCode: number | undefined
      readonly durationMs: number
    }
  | { readonly type: 'cwd-changed'; readonly cwd: string }
  | { readonly type: 'title-changed'; readonly title: string }
  | { readonly type: 'exited'; readonly status: SessionStatus }

/** What the service tells observers. `sessionId` names the terminal; the event says the rest. */
export type TerminalEvent =
  | BackendEvent
  | { readonly type: 'opened'; readonly summary: SessionSummary; readonly owner: TerminalOwner }
  | { readonly type: 'resized'; readonly size: TerminalSize }
  | { readonly type: 'claimed'; readonly claim: TerminalClaim }
  | { readonly type: 'closed'; readonly killed: boolean }
