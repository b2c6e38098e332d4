/** Time that moves only when a test moves it. It has the timer functions that the clocks of the packages ask for. */
export class ManualClock {
  private readonly timers = new Map<object, { readonly at: number; readonly run: () => void }>()

  /** @param time - where it starts, in milliseconds. */
  constructor(private time = 1_000) {}

  now(): number {
    return this.time
  }
  random(): number {
    return 0.5
  }
  after(delayMs: number, run: () => void): () => void {
    const key = {}
    this.timers.set(key, { at: this.time + delayMs, run })
    return () => this.timers.delete(key)
  }
  inBackground(delayMs: number, run: () => void): () => void {
    return this.after(delayMs, run)
  }
  get pending(): number {
    return this.timers.size
  }
  /** Let time pass, running what is due in order. */
  advance(byMs: number): void {
    const end = this.time + byMs
    for (;;) {
      const due = [...this.timers].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at)[0]
      if (!due) break
      const [key, { at, run }] = due
      this.timers.delete(key)
      this.time = Math.max(this.time, at)
      run()
    }
    this.time = end
  }
}
