/** Who holds a terminal, in the words of this page. */
import { isInToolCall, type SessionClaim, type TerminalClaim } from '@agent-terminals/ahp/protocol'
import { visibleText } from './visible-text.js'

export type Holder =
  /** This page. `owner` is the session that gets it back, if one is known. */
  | { readonly kind: 'me'; readonly owner: SessionClaim | undefined }
  | { readonly kind: 'other-viewer'; readonly clientId: string }
  /** An agent that waits for a command to settle. */
  | { readonly kind: 'agent-working'; readonly claim: SessionClaim; readonly agent: string }
  /** An agent between two calls. */
  | { readonly kind: 'agent-idle'; readonly claim: SessionClaim; readonly agent: string }
  /** Of a later version of the protocol. */
  | { readonly kind: 'unknown' }

export function holderOf(claim: TerminalClaim, clientId: string, owner: SessionClaim | undefined): Holder {
  switch (claim.kind) {
    case 'client':
      return claim.clientId === clientId ? { kind: 'me', owner } : { kind: 'other-viewer', clientId: claim.clientId }
    case 'session': {
      const agent = nameSession(claim.session)
      return isInToolCall(claim) ? { kind: 'agent-working', claim, agent } : { kind: 'agent-idle', claim, agent }
    }
    default:
      return { kind: 'unknown' }
  }
}

const GENERATED = /^(?:session|agent)-([0-9a-f]{8})-[0-9a-f-]{27}$/i

/** Of `ahp-session:/<id>` the id; of a generated id its first eight digits, as people compare them. */
export function nameSession(session: string): string {
  const id = decode(session.replace(/^[a-z][a-z0-9+.-]*:\/*/i, ''))
  return GENERATED.exec(id)?.[1] ?? visibleText(id === '' ? session : id, 32)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
