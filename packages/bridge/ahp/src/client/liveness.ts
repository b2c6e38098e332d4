/** Finds out whether the other side is still there. Sheet §5.2. */
import type { ClientClock } from './globals.js'

export interface LivenessOptions {
  readonly clock: ClientClock
  readonly pingAfterMs: number
  readonly pongTimeoutMs: number
  readonly ping: () => void
  /** No sign of life since the ping. */
  readonly onDead: () => void
}

export class Liveness {
  private disarm: () => void = () => {}

  constructor(private readonly options: LivenessOptions) {
    this.rest()
  }

  /** Something has arrived. */
  handleTraffic(): void {
    this.rest()
  }

  stop(): void {
    this.disarm()
  }

  private rest(): void {
    this.disarm()
    this.disarm = this.options.clock.after(this.options.pingAfterMs, () => this.ask())
  }

  private ask(): void {
    this.disarm = this.options.clock.after(this.options.pongTimeoutMs, () => this.options.onDead())
    this.options.ping()
  }
}
