/** Time as the host needs it. Passed in, so that tests own it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** @returns a release that prevents the call. */
  after(delayMs: number, run: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  },
}
