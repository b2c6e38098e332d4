/** A rate limit as a value: so many at once, so many per second. */

export interface TokenBucket {
  readonly tokens: number
  readonly at: number
}

export interface RateLimit {
  readonly perSecond: number
  readonly burst: number
}

export function fullBucket({ burst }: RateLimit, now: number): TokenBucket {
  return { tokens: burst, at: now }
}

/** Take one. @returns the bucket afterwards, and whether there was one to take. */
export function takeToken(
  { tokens, at }: TokenBucket,
  now: number,
  { perSecond, burst }: RateLimit,
): { readonly bucket: TokenBucket; readonly isGranted: boolean } {
  const filled = Math.min(burst, tokens + (Math.max(0, now - at) * perSecond) / 1_000)
  return filled < 1
    ? { bucket: { tokens: filled, at: now }, isGranted: false }
    : { bucket: { tokens: filled - 1, at: now }, isGranted: true }
}
