/**
 * Delivers events to observers: in order, after the state has changed, never inside the backend's call.
 * A listener sees only what is published after it was added. One that throws is logged and the rest go on.
 */
import type { Context, EventsService } from '@deepseek-ai/cordis'
import type { TerminalEvent, TerminalSessionId } from './types.js'

type Listener = (id: TerminalSessionId, event: TerminalEvent) => void

interface Delivery {
  readonly listeners: readonly Subscription[]
  readonly id: TerminalSessionId
  readonly event: TerminalEvent
}

interface Subscription {
  readonly scope: TerminalSessionId | '*'
  readonly listener: Listener
  isActive: boolean
}

const EVENT_NAME = 'terminal/event'

export class EventHub {
  private readonly subscriptions = new Set<Subscription>()
  private readonly queue: Delivery[] = []
  private readonly bus: EventsService
  private readonly logger: { error(error: unknown): void }

  constructor(ctx: Context) {
    // Every look-up on a context makes a proxy: once is enough.
    this.bus = ctx.events
    this.logger = ctx.logger
  }

  add(scope: TerminalSessionId | '*', listener: Listener): () => void {
    const subscription = { scope, listener, isActive: true }
    this.subscriptions.add(subscription)
    return () => {
      subscription.isActive = false
      this.subscriptions.delete(subscription)
    }
  }

  /** Queue an event for everybody who listens now. Output bytes are borrowed until this returns. Costs two look-ups when nobody does. */
  publish(id: TerminalSessionId, event: TerminalEvent): void {
    const isOnBus = Boolean(this.bus._hooks[EVENT_NAME]?.length)
    if (this.subscriptions.size === 0 && !isOnBus) return
    const listeners = [...this.subscriptions].filter(({ scope }) => scope === '*' || scope === id)
    if (listeners.length === 0 && !isOnBus) return
    if (this.queue.push({ listeners, id, event: ownBytes(event) }) === 1) queueMicrotask(() => this.deliver())
  }

  private deliver(): void {
    // What listeners cause meanwhile is appended and delivered in the same turn, in order.
    for (const delivery of this.queue) this.deliverOne(delivery)
    this.queue.length = 0
  }

  private deliverOne({ listeners, id, event }: Delivery): void {
    for (const { isActive, listener } of listeners) {
      if (isActive) this.guard(() => listener(id, event))
    }
    // `ctx.emit` would stop at the first listener that throws.
    this.guard(() => {
      for (const listener of this.bus.dispatch('emit', [EVENT_NAME, id, event])) {
        this.guard(() => listener(id, event))
      }
    })
  }

  private guard(call: () => unknown): void {
    try {
      const result = call()
      if (result instanceof Promise) result.catch((error: unknown) => this.logger.error(error))
    } catch (error) {
      this.logger.error(error)
    }
  }
}

/** Backends may use the memory of output again; one copy serves all observers. */
function ownBytes(event: TerminalEvent): TerminalEvent {
  return event.type === 'data' ? { ...event, bytes: new Uint8Array(event.bytes) } : event
}
