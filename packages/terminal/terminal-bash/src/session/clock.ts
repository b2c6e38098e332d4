/** Monotonic time and timers, in milliseconds. Passed in, so that a test can hold time still. */
export interface Clock {
  now(): number
  /** Run `callback` once after `delayMs`, at the next turn of the event loop when that is below 1. @returns a release. */
  schedule(delayMs: number, callback: () => void): () => void
}

export const systemClock: Clock = {
  now: () => performance.now(),
  schedule(delayMs, callback) {
    if (delayMs < 1) {
      const immediate = setImmediate(callback)
      return () => clearImmediate(immediate)
    }
    const timer = setTimeout(callback, delayMs)
    return () => clearTimeout(timer)
  },
}
