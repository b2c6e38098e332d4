/** Who may do what to a terminal that somebody holds. The table of sheet §10, as functions of plain facts. */
import {
  type ClientTerminalActionType,
  isInToolCall,
  isSameClaim,
  REJECTIONS,
  type SessionClaim,
  type TerminalClaim,
} from '../../protocol/index.js'

/** Which clients other than the holder may type, resize and clear. */
export type Gate = 'client' | 'principal' | 'open'

export interface ClaimFacts {
  readonly claim: TerminalClaim
  readonly hasExited: boolean
  /** Who asks. */
  readonly clientId: string
  /** Whether the asking connection's principal is that of the client that holds the claim. */
  readonly isSamePrincipal: boolean
  /** Whether the client that holds the claim has been gone for longer than the grace time. */
  readonly isAbandoned: boolean
  readonly gate: Gate
  /** Whether clients may type while a tool call uses the terminal. */
  readonly sharedInput: boolean
}

export type Verdict = { readonly kind: 'accepted' } | { readonly kind: 'rejected'; readonly reason: string }

const ACCEPTED: Verdict = { kind: 'accepted' }
const reject = (reason: string): Verdict => ({ kind: 'rejected', reason })

/** Everything but a claim, which has a target. */
export function judgeAction(type: Exclude<ClientTerminalActionType, 'terminal/claimed'>, facts: ClaimFacts): Verdict {
  switch (type) {
    case 'terminal/titleChanged':
      return ACCEPTED
    case 'terminal/input':
      if (facts.hasExited) return reject(REJECTIONS.exited)
      if (isInToolCall(facts.claim) && !facts.sharedInput && facts.gate !== 'open') return reject(REJECTIONS.inToolCall)
      return passGate(facts)
    case 'terminal/resized':
      return facts.hasExited ? reject(REJECTIONS.exited) : passGate(facts)
    case 'terminal/cleared':
      return passGate(facts)
  }
}

function passGate({ claim, clientId, isSamePrincipal, gate }: ClaimFacts): Verdict {
  if (claim.kind !== 'client' || claim.clientId === clientId || gate === 'open') return ACCEPTED
  return gate === 'principal' && isSamePrincipal ? ACCEPTED : reject(REJECTIONS.claimedByOther)
}

/** A client wants the claim to become `target`. */
export function judgeClaim(target: TerminalClaim, facts: ClaimFacts): Verdict {
  const { claim, clientId, gate, isAbandoned } = facts
  if (gate === 'open') return ACCEPTED
  if (claim.kind === 'client' && claim.clientId === clientId) return ACCEPTED
  if (isInToolCall(claim)) {
    return isSameClaim(target, claim) || isNarrowing(claim, target) ? ACCEPTED : reject(REJECTIONS.inToolCall)
  }
  const isFree = claim.kind !== 'client' || isAbandoned
  const isForItself = target.kind === 'client' && target.clientId === clientId
  return isFree && (isForItself || isSameClaim(target, claim)) ? ACCEPTED : reject(REJECTIONS.claimedByOther)
}

/** The same session without its tool call: the terminal goes to the background. */
function isNarrowing(claim: TerminalClaim, target: TerminalClaim): boolean {
  return (
    claim.kind === 'session' &&
    target.kind === 'session' &&
    target.session === claim.session &&
    target.chat === claim.chat &&
    !isInToolCall(target)
  )
}

/**
 * A session claim without a chat, as clients from before 0.9 send it.
 * @returns the claim with the present chat when it is the same session's, otherwise `undefined`.
 */
export function completeChat(target: Omit<SessionClaim, 'chat'>, present: TerminalClaim): SessionClaim | undefined {
  if (present.kind !== 'session' || present.session !== target.session) return undefined
  return { ...target, chat: present.chat }
}
