/** Time as teardown sees it: monotonic milliseconds, and a wait that always resolves. */
export interface Clock {
  nowMs(): number
  sleep(ms: number): Promise<void>
}

export const systemClock: Clock = {
  nowMs: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}
