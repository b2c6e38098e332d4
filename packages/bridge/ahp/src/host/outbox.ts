/** What one connection still has to be sent. Output waits and is merged while the client does not take it. Sheet §13. */
import { CLOSE_CODES, renderNotification, type Transport, type WireShape } from '../protocol/index.js'
import type { Rendering } from './action-stream.js'
import { OutQueue, type QueuedMessage } from './core/index.js'

export interface OutboxLimits {
  readonly sendHighWaterBytes: number
  readonly maxHeldUnits: number
}

export class Outbox {
  private readonly queue = new OutQueue()

  constructor(
    private readonly transport: Transport,
    private readonly limits: OutboxLimits,
  ) {}

  /** In order with everything else. */
  send(text: string): void {
    if (this.isFree) this.transport.send(text)
    else this.hold({ kind: 'frame', text })
  }

  /** At once, past what is held. */
  sendNow(text: string): void {
    this.transport.send(text)
  }

  post(rendering: Rendering, spelling: string, shape: WireShape): void {
    if (this.isFree) {
      this.transport.send(rendering.textFor(spelling, shape))
      return
    }
    const { action, serverSeq } = rendering.envelope
    this.hold(
      action.type === 'terminal/data'
        ? { kind: 'data', channel: spelling, data: action.data, serverSeq }
        : { kind: 'frame', text: rendering.textFor(spelling, shape) },
    )
  }

  /** The transport has room again. */
  handleDrain(): void {
    while (!this.queue.isEmpty && this.hasRoom) {
      const message = this.queue.take()
      if (message) this.transport.send(renderQueued(message))
    }
  }

  clear(): void {
    this.queue.clear()
  }

  private get isFree(): boolean {
    return this.queue.isEmpty && this.hasRoom
  }

  private get hasRoom(): boolean {
    return this.transport.bufferedBytes < this.limits.sendHighWaterBytes
  }

  private hold(message: QueuedMessage): void {
    this.queue.add(message)
    if (this.queue.units <= this.limits.maxHeldUnits) return
    this.queue.clear()
    this.transport.close(CLOSE_CODES.tooSlow, 'too slow; reconnect for a snapshot')
  }
}

function renderQueued(message: QueuedMessage): string {
  if (message.kind === 'frame') return message.text
  const { channel, data, serverSeq } = message
  return renderNotification('action', { channel, action: { type: 'terminal/data', data }, serverSeq })
}
