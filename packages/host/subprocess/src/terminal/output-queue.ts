/** Output between the device and its one listener: kept while nobody listens, held while paused, in order always. */

export interface OutputSource {
  pause(): void
  resume(): void
}

export interface OutputQueueOptions {
  readonly source: OutputSource
  /** Bytes kept before the source is paused. */
  readonly maxHeldBytes: number
  /** A listener that throws must not stop the stream. */
  readonly handleListenerError: (error: unknown) => void
}

export class OutputQueue {
  private readonly held: Uint8Array[] = []
  private heldBytes = 0
  private listener: ((chunk: Uint8Array) => void) | undefined
  private demand: 'flowing' | 'paused' | 'ended' = 'flowing'
  private isSourcePaused = false
  private isDelivering = false

  constructor(private readonly options: OutputQueueOptions) {}

  push(chunk: Uint8Array): void {
    this.held.push(chunk)
    this.heldBytes += chunk.byteLength
    this.deliver()
  }

  /** @throws when a listener is attached already: two would each see half a stream. */
  attach(listener: (chunk: Uint8Array) => void): () => void {
    if (this.listener) throw new Error('Output has a listener already. Release it before attaching another.')
    this.listener = listener
    // Not at once: the caller has not got its release yet.
    queueMicrotask(() => this.deliver())
    return () => {
      if (this.listener === listener) this.listener = undefined
    }
  }

  pause(): void {
    if (this.demand === 'flowing') this.demand = 'paused'
    this.adjustSource()
  }

  resume(): void {
    if (this.demand === 'paused') this.demand = 'flowing'
    this.deliver()
  }

  /** Nothing more will come. What is held goes to the listener now, also when paused: it is bounded, and an exit follows. */
  end(): void {
    this.demand = 'ended'
    this.deliver()
  }

  private deliver(): void {
    if (this.isDelivering) return
    this.isDelivering = true
    while (this.listener && this.demand !== 'paused') {
      const chunk = this.held.shift()
      if (chunk === undefined) break
      this.heldBytes -= chunk.byteLength
      try {
        this.listener(chunk)
      } catch (error) {
        this.options.handleListenerError(error)
      }
    }
    this.isDelivering = false
    this.adjustSource()
  }

  private adjustSource(): void {
    const mustPause = this.demand === 'paused' || this.heldBytes >= this.options.maxHeldBytes
    if (this.demand === 'ended' || mustPause === this.isSourcePaused) return
    this.isSourcePaused = mustPause
    if (mustPause) this.options.source.pause()
    else this.options.source.resume()
  }
}
