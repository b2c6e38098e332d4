/** Who an owner is, and everything it has. */
import { symbols } from '@deepseek-ai/cordis'
import type { Session } from './session.js'
import type { TerminalOwner } from './types.js'

/**
 * Cordis hands out services through proxies that are new each time. Identity is the object behind them, so an owner that
 * went through `ctx.something` is still the same owner.
 */
export function identityOf(owner: TerminalOwner): TerminalOwner {
  let current = owner
  for (;;) {
    const original: unknown = Reflect.get(current, symbols.original)
    if (!isOwner(original) || original === current) return current
    current = original
  }
}

function isOwner(value: unknown): value is TerminalOwner {
  return typeof value === 'object' && value !== null && 'ctx' in value
}

/** One owner's terminals. Lives from the first spawn until nothing is left. */
export interface OwnerRecord {
  readonly owner: TerminalOwner
  /** Published and unpublished ones, failed clean-ups included: as long as one is here, the owner has activity. */
  readonly sessions: Set<Session>
  /** Those whose process has ended, in the order in which they did. */
  readonly ended: Set<Session>
  /** Withdraw the effect on the owner's scope without releasing anything. */
  detach: () => void
}
