/** Between the claims of the protocol and those of `ctx.terminals`. */
import type { TerminalClaim as ServiceClaim, TerminalOwner } from '@agent-terminals/terminal'
import type { SessionClaim, TerminalClaim } from '../protocol/index.js'

/** The claim of the session that an owner stands for, outside any tool call. */
export function sessionClaimOf(owner: Pick<TerminalOwner, 'id' | 'session'>): SessionClaim {
  return sessionClaimFor(owner.session?.id ?? owner.id)
}

export function sessionClaimFor(sessionId: string): SessionClaim {
  const id = encodeURIComponent(sessionId)
  return { kind: 'session', session: `ahp-session:/${id}`, chat: `ahp-chat:/${id}` }
}

export function toServiceClaim(claim: TerminalClaim): ServiceClaim {
  if (claim.kind === 'client') return claim
  return {
    kind: 'owner',
    ...(claim.turnId === undefined ? {} : { turnId: claim.turnId }),
    ...(claim.toolCallId === undefined ? {} : { toolCallId: claim.toolCallId }),
  }
}

/** @param session - whose the terminal is when its owner holds it. */
export function fromServiceClaim(claim: ServiceClaim, { kind, session, chat }: SessionClaim): TerminalClaim {
  if (claim.kind === 'client') return claim
  return {
    kind,
    session,
    chat,
    ...(claim.turnId === undefined ? {} : { turnId: claim.turnId }),
    ...(claim.toolCallId === undefined ? {} : { toolCallId: claim.toolCallId }),
  }
}

/** Whether a claim of the protocol says the same as one of the service. */
export function matchesServiceClaim(claim: TerminalClaim, service: ServiceClaim): boolean {
  if (claim.kind === 'client') return service.kind === 'client' && service.clientId === claim.clientId
  return service.kind === 'owner' && service.turnId === claim.turnId && service.toolCallId === claim.toolCallId
}
