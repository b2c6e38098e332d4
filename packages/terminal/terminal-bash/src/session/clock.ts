/** Monotonic time and timers, in milliseconds. Passed in, so that a test can hold time still. */
export interface Clock {
  now(): number
  /**
   * Run `callback` once, `delayMs` later or at the next turn of the event loop when that is below 1, and in any case after
   * the input and output that has arrived until then. @returns a release.
   */
  schedule(delayMs: number, callback: () => void): () => void
}

export const systemClock: Clock = {
  now: () => performance.now(),
  schedule(delayMs, callback) {
    let immediate: NodeJS.Immediate | undefined
    const runAfterIo = () => {
      immediate = setImmediate(callback)
    }
    // Node runs due timers before it reads: after a stall of this process a timer alone would find silence where output
    // has been waiting all along. https://nodejs.org/en/learn/asynchronous-work/event-loop-timers-and-nexttick
    const timer = delayMs < 1 ? undefined : setTimeout(runAfterIo, delayMs)
    if (timer === undefined) runAfterIo()
    return () => {
      clearTimeout(timer)
      clearImmediate(immediate)
    }
  },
}
