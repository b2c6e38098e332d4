/** A state that changes only through actions, and those who follow it. */
import type { Action, Origin } from '../protocol/index.js'
import { type ActionStream, type EnvelopeOptions, Rendering } from './action-stream.js'

export interface Subscription {
  /** The URI as this subscriber writes it. */
  readonly spelling: string
  readonly maxLatencyMs?: number | undefined
}

export interface Subscriber {
  readonly clientId: string
  /** Never throws, never waits. */
  post(rendering: Rendering, spelling: string): void
}

export class Channel<State extends object, Kind extends Action> {
  /** Actions up to this number belong to an earlier channel of the same URI, if any. */
  readonly bornSeq: number
  private readonly subscriptions = new Map<Subscriber, Subscription>()
  private current: State

  constructor(
    readonly uri: string,
    initial: State,
    private readonly reduce: (state: State, action: Kind) => State,
    protected readonly stream: ActionStream,
  ) {
    this.current = initial
    this.bornSeq = stream.serverSeq
  }

  get state(): State {
    return this.current
  }

  protected replaceState(state: State): void {
    this.current = state
  }

  subscribe(subscriber: Subscriber, subscription: Subscription): void {
    this.subscriptions.set(subscriber, subscription)
    this.handleSubscribersChanged()
  }

  unsubscribe(subscriber: Subscriber): void {
    if (this.subscriptions.delete(subscriber)) this.handleSubscribersChanged()
  }

  subscriptionOf(subscriber: Subscriber): Subscription | undefined {
    return this.subscriptions.get(subscriber)
  }

  dropSubscribers(): void {
    this.subscriptions.clear()
  }

  protected get followers(): Iterable<Subscription> {
    return this.subscriptions.values()
  }

  protected handleSubscribersChanged(): void {}

  /** Apply an action and tell the subscribers. */
  publish(action: Kind, options: EnvelopeOptions = {}): void {
    this.current = this.reduce(this.current, action)
    const rendering = new Rendering(this.stream.append(this.uri, action, options))
    for (const [subscriber, { spelling }] of this.subscriptions) {
      if (options.onlyFor === undefined || options.onlyFor === subscriber.clientId) subscriber.post(rendering, spelling)
    }
  }

  /** Refuse a client's action: only that connection hears of it, and nothing changes. Sheet §8.2. */
  reject(
    action: Action,
    origin: Origin,
    reason: string,
    to: { readonly subscriber: Subscriber; readonly spelling: string },
  ) {
    const options = { origin, rejectionReason: reason, onlyFor: origin.clientId }
    to.subscriber.post(new Rendering(this.stream.append(this.uri, action, options)), to.spelling)
  }
}
