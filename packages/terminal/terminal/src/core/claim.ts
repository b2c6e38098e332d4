/** Who holds the keyboard: narrowing to a tool call and comparing. Architecture §3, "Claims". */
import type { SendScope, TerminalClaim } from './vocabulary.js'

export function isSameClaim(left: TerminalClaim, right: TerminalClaim): boolean {
  if (left.kind === 'client') return right.kind === 'client' && left.clientId === right.clientId
  return right.kind === 'owner' && left.turnId === right.turnId && left.toolCallId === right.toolCallId
}

/** @returns the owner's claim narrowed to the send's tool call, or `undefined` when there is nothing to narrow it to. */
export function narrowClaim(
  claim: TerminalClaim,
  scope: { readonly [Key in keyof SendScope]: SendScope[Key] | undefined },
): TerminalClaim | undefined {
  if (claim.kind !== 'owner') return undefined
  if (scope.turnId === undefined && scope.toolCallId === undefined) return undefined
  return {
    kind: 'owner',
    ...(scope.turnId !== undefined && { turnId: scope.turnId }),
    ...(scope.toolCallId !== undefined && { toolCallId: scope.toolCallId }),
  }
}
