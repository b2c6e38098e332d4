/** Whether a terminal holds processes, or is about to. */
import { exitOf } from './access.js'
import type { SessionState } from './session-state.js'

/** `opening` includes the rollback of a failed start; `close-failed` left something that could not be ended. */
export type HeldPhase = 'opening' | 'running' | 'closing' | 'close-failed'

/** @returns nothing for a terminal whose shell has ended, and for one that is gone. */
export function heldPhaseOf(state: SessionState): HeldPhase | undefined {
  switch (state.kind) {
    case 'opening':
      return 'opening'
    case 'open':
      return exitOf(state) === undefined ? 'running' : undefined
    case 'closing':
      return state.past.kind === 'unpublished' ? 'opening' : 'closing'
    case 'close-failed':
      return 'close-failed'
    case 'closed':
      return undefined
  }
}
