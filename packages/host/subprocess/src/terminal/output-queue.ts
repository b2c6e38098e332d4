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
  private borrows = false
  private demand: 'flowing' | 'paused' | 'ended' = 'flowing'
  private isSourcePaused = false
  private isDelivering = false

  constructor(private readonly options: OutputQueueOptions) {}

  /** @param chunk - borrowed: copied unless the listener that takes it at once borrows, too. */
  push(chunk: Uint8Array): void {
    if (this.borrows && this.canDeliver && this.held.length === 0) {
      this.isDelivering = true
      this.hand(chunk)
      this.isDelivering = false
    } else {
      this.held.push(Buffer.from(chunk))
      this.heldBytes += chunk.byteLength
    }
    this.deliver()
  }

  /** @throws when a listener is attached already: two would each see half a stream. */
  attach(listener: (chunk: Uint8Array) => void, { borrows = false }: { readonly borrows?: boolean } = {}): () => void {
    if (this.listener) throw new Error('Output has a listener already. Release it before attaching another.')
    this.listener = listener
    this.borrows = borrows
    // Not at once: the caller has not got its release yet.
    queueMicrotask(() => this.deliver())
    return () => {
      if (this.listener === listener) this.listener = undefined
    }
  }

  /** Nothing is kept for a listener. */
  get isEmpty(): boolean {
    return this.heldBytes === 0
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
      this.hand(chunk)
    }
    this.isDelivering = false
    this.adjustSource()
  }

  private get canDeliver(): boolean {
    return this.listener !== undefined && this.demand !== 'paused' && !this.isDelivering
  }

  private hand(chunk: Uint8Array): void {
    try {
      this.listener?.(chunk)
    } catch (error) {
      this.options.handleListenerError(error)
    }
  }

  private adjustSource(): void {
    const mustPause = this.demand === 'paused' || this.heldBytes >= this.options.maxHeldBytes
    if (this.demand === 'ended' || mustPause === this.isSourcePaused) return
    this.isSourcePaused = mustPause
    if (mustPause) this.options.source.pause()
    else this.options.source.resume()
  }
}
