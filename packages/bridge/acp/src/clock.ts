export interface Clock {
  /** @returns a cancellation. */
  setTimer(ms: number, handle: () => void): () => void
}

export const systemClock: Clock = {
  setTimer(ms, handle) {
    const timer = setTimeout(handle, ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
}
