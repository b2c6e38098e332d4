/** What both ends need of a connection: whole text messages, in order. Sheet §2. */
export interface Transport {
  send(message: string): void
  /** End the connection. The peer hears of it; so does this side, once. */
  close(code?: number, reason?: string): void
  /** Bytes accepted by `send` that have not left yet. */
  readonly bufferedBytes: number
  /** Set once, before anything can arrive. */
  listen(listener: TransportListener): void
}

export interface TransportListener {
  onMessage(message: string): void
  /** At most once; nothing follows. */
  onClose(): void
  /** Some of what was buffered has left. */
  onDrain?(): void
}

/** Close codes of WebSocket connections: those of RFC 6455, and private ones that other hosts use as well. */
export const CLOSE_CODES = { normal: 1000, policy: 1008, tooSlow: 4000, malformed: 4002 } as const

class MemoryEnd implements Transport {
  readonly bufferedBytes = 0
  peer: MemoryEnd | undefined
  isOpen = true
  private listener: TransportListener | undefined
  private readonly early: string[] = []

  send(message: string): void {
    const { peer } = this
    if (!this.isOpen || !peer) return
    void Promise.resolve().then(() => peer.receive(message))
  }

  close(): void {
    if (!this.isOpen) return
    this.isOpen = false
    const { peer } = this
    void Promise.resolve().then(() => {
      this.listener?.onClose()
      peer?.close()
    })
  }

  listen(listener: TransportListener): void {
    this.listener = listener
    for (const message of this.early.splice(0)) listener.onMessage(message)
  }

  private receive(message: string): void {
    if (!this.isOpen) return
    if (this.listener) this.listener.onMessage(message)
    else this.early.push(message)
  }
}

/** Two ends in one process. Messages arrive in order, never within the call that sends them. */
export function createMemoryPair(): readonly [Transport, Transport] {
  const [left, right] = [new MemoryEnd(), new MemoryEnd()]
  left.peer = right
  right.peer = left
  return [left, right]
}
