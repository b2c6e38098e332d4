/** When the output of one card goes out: the first at once, then at intervals, earlier when much is waiting. OUT-5, OUT-10. */
import type { Clock } from './clock.js'
import { CardBuffer, type CardLimits } from './core/index.js'

export interface CardOutputOptions {
  readonly limits: CardLimits
  /** Absent: nothing goes out before the end. */
  readonly pace?: { readonly clock: Clock; readonly intervalMs: number }
  /** Ask for a turn to send. At most one is asked for at a time. */
  readonly requestFlush: () => void
}

export class CardOutput {
  private readonly buffer: CardBuffer
  private cancelTimer: (() => void) | undefined
  private isFlushRequested = false
  /** Whether the program has printed anything. */
  hasOutput = false

  constructor(private readonly options: CardOutputOptions) {
    this.buffer = new CardBuffer(options.limits)
  }

  push(text: string): void {
    this.hasOutput = true
    this.buffer.push(text)
    const { pace, limits } = this.options
    if (!pace) return
    if (!this.cancelTimer) this.flushAndWait(pace)
    else if (this.buffer.waitingUnits >= limits.maxChunkUnits) this.requestFlush()
  }

  finish(): void {
    this.cancelTimer?.()
    this.cancelTimer = undefined
    this.buffer.finish()
  }

  note(text: string): void {
    this.buffer.note(text)
  }

  /** Everything that may go out now, in pieces. */
  *drain(): Generator<string> {
    this.isFlushRequested = false
    for (let data = this.buffer.take(); data !== ''; data = this.buffer.take()) yield data
  }

  private flushAndWait(pace: NonNullable<CardOutputOptions['pace']>): void {
    if (this.buffer.waitingUnits === 0) return
    this.requestFlush()
    this.cancelTimer = pace.clock.setTimer(pace.intervalMs, () => {
      this.cancelTimer = undefined
      this.flushAndWait(pace)
    })
  }

  private requestFlush(): void {
    if (this.isFlushRequested) return
    this.isFlushRequested = true
    this.options.requestFlush()
  }
}
