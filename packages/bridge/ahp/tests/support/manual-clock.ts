/** Time that moves only when the test moves it. Serves the host and the client. */
export class ManualClock {
  private time = 1_000_000
  private readonly timers = new Map<object, { readonly at: number; readonly run: () => void }>()

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
