/** What a terminal in a given state allows. Ownership has been settled before; this is about time and claim. */
import type { SessionState } from './session-state.js'
import { OWNER_CLAIM } from './session-state.js'
import type { ExitStatus, TerminalClaim } from './vocabulary.js'

/** Why an operation is refused. */
export type Refusal =
  | { readonly code: 'SESSION_CLOSING'; readonly failed: boolean }
  | { readonly code: 'SESSION_ENDED'; readonly status: ExitStatus }
  | { readonly code: 'SEND_ACTIVE' }
  | { readonly code: 'CLAIMED_BY_CLIENT' }
  | { readonly code: 'CLAIM_REQUIRED' }

export function isPublished(state: SessionState): boolean {
  switch (state.kind) {
    case 'open':
      return true
    case 'closing':
    case 'close-failed':
      return state.past.kind === 'published'
    default:
      return false
  }
}

export function exitOf(state: SessionState): ExitStatus | undefined {
  switch (state.kind) {
    case 'opening':
    case 'open':
      return state.exit
    case 'closing':
    case 'close-failed':
      return state.past.kind === 'published' ? state.past.exit : undefined
    default:
      return undefined
  }
}

export function claimOf(state: SessionState): TerminalClaim {
  if (state.kind === 'open') return state.claim
  if ((state.kind === 'closing' || state.kind === 'close-failed') && state.past.kind === 'published') {
    return state.past.claim
  }
  return OWNER_CLAIM
}

export function isSending(state: SessionState): boolean {
  if (state.kind === 'open') return state.send !== undefined
  if ((state.kind === 'closing' || state.kind === 'close-failed') && state.past.kind === 'published') {
    return state.past.send !== undefined
  }
  return false
}

/** Whether it is alive at all: being closed and ended both speak against it, the ending first because it is final. */
function refuseUnlessRunning(state: SessionState): Refusal | undefined {
  const exit = exitOf(state)
  if (state.kind === 'open') return exit && { code: 'SESSION_ENDED', status: exit }
  return { code: 'SESSION_CLOSING', failed: state.kind === 'close-failed' }
}

/** The owner wants to signal: not while a person holds the keyboard. */
export function refuseSignal(state: SessionState): Refusal | undefined {
  return refuseUnlessRunning(state) ?? (claimOf(state).kind === 'client' ? { code: 'CLAIMED_BY_CLIENT' } : undefined)
}

/** The owner wants to send: as for a signal, and one send at a time. */
export function refuseSend(state: SessionState): Refusal | undefined {
  return refuseSignal(state) ?? (isSending(state) ? { code: 'SEND_ACTIVE' } : undefined)
}

/** The owner wants to close: a running terminal in a person's hands is not ended under them. */
export function refuseOwnerClose(state: SessionState): Refusal | undefined {
  const isHeld = state.kind === 'open' && !state.exit && state.claim.kind === 'client'
  return isHeld ? { code: 'CLAIMED_BY_CLIENT' } : undefined
}

/** A client wants to type: it must hold the claim, unless it does not matter who does. */
export function refuseInput(state: SessionState, clientId: string | undefined): Refusal | undefined {
  const refusal = refuseUnlessRunning(state)
  if (refusal || clientId === undefined) return refusal
  const claim = claimOf(state)
  if (claim.kind === 'client' && claim.clientId === clientId) return undefined
  return { code: claim.kind === 'client' ? 'CLAIMED_BY_CLIENT' : 'CLAIM_REQUIRED' }
}

/** Anyone wants to resize. */
export function refuseResize(state: SessionState): Refusal | undefined {
  return refuseUnlessRunning(state)
}
