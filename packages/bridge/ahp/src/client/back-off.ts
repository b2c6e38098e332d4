/** How long to wait before the next try. Sheet §16. */

export interface BackOff {
  readonly firstMs: number
  readonly longestMs: number
  /** Part of the delay that chance may add or take, from 0 to 1. */
  readonly jitter: number
}

export const DEFAULT_BACK_OFF: BackOff = { firstMs: 250, longestMs: 30_000, jitter: 0.25 }

/** @param attempt - from 0. @param random - from 0 up to, not including, 1. */
export function delayFor(attempt: number, { firstMs, longestMs, jitter }: BackOff, random: number): number {
  const base = Math.min(longestMs, firstMs * 2 ** Math.min(attempt, 30))
  return Math.round(base * (1 + jitter * (2 * random - 1)))
}
