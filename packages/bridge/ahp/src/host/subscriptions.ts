/** Snapshots and subscriptions of one connection. */
import {
  type ActionEnvelope,
  AhpError,
  downRootState,
  downTerminalState,
  isRootUri,
  parseParams,
  subscribeSchema,
  unsubscribeSchema,
  type WireShape,
} from '../protocol/index.js'
import { type ActionStream, toWire } from './action-stream.js'
import type { Subscriber, Subscription } from './channel.js'
import type { ChannelRegistry, RootChannel } from './channel-registry.js'
import { TerminalChannel } from './terminal-channel.js'

export interface WireSnapshot {
  readonly resource: string
  readonly state: unknown
  readonly fromSeq: number
}

export interface SubscriptionsOptions {
  readonly channels: ChannelRegistry
  readonly stream: ActionStream
  readonly maxSubscriptions: number
}

type AnyChannel = RootChannel | TerminalChannel

export class Subscriptions {
  private readonly followed = new Set<AnyChannel>()

  constructor(
    private readonly options: SubscriptionsOptions,
    private readonly subscriber: Subscriber & { readonly shape: WireShape },
  ) {}

  /** @throws AhpError `NotFound`, or `PermissionDenied` beyond the limit. */
  subscribe(params: unknown): { readonly snapshot: WireSnapshot } {
    const { channel: uri, delivery } = parseParams(subscribeSchema, params)
    const channel = this.find(uri)
    if (!channel) throw AhpError.of('NotFound', `no such channel: ${uri}`)
    return { snapshot: this.follow(channel, { spelling: uri, maxLatencyMs: delivery?.maxLatencyMs }) }
  }

  /** Those of the channels that exist and may be followed; the rest is left out without an error. */
  subscribeAll(uris: readonly string[]): WireSnapshot[] {
    return uris.flatMap((uri) => {
      const channel = this.find(uri)
      return channel && this.hasRoomFor(channel) ? [this.follow(channel, { spelling: uri })] : []
    })
  }

  unsubscribe(params: unknown): void {
    const parsed = unsubscribeSchema.safeParse(params)
    const channel = parsed.success ? this.options.channels.get(parsed.data.channel) : undefined
    if (channel) this.leave(channel)
  }

  /** Take up again where the client left off: everything missed, or snapshots when that is not known any more. Sheet §5.7. */
  resume(uris: readonly string[], lastSeenServerSeq: number): object {
    const { stream } = this.options
    const found = uris.flatMap((uri) => {
      const channel = this.find(uri)
      return channel ? [{ uri, channel }] : []
    })
    const missing = uris.filter((uri) => !found.some((each) => each.uri === uri))
    // A channel that was created anew under its old URI has nothing to do with what the client knows.
    const isSame = found.every(({ channel }) => channel.bornSeq < lastSeenServerSeq || isRootUri(channel.uri))
    for (const { channel } of found) if (channel instanceof TerminalChannel) channel.flush()
    if (!isSame || !stream.canReplayFrom(lastSeenServerSeq)) {
      return { type: 'snapshot', snapshots: this.subscribeAll(uris), missing }
    }
    const spellings = new Map(found.map(({ uri, channel }) => [channel.uri, uri]))
    this.subscribeAll(uris)
    const actions = stream
      .since(lastSeenServerSeq, new Set(spellings.keys()), this.subscriber.clientId)
      .map((envelope: ActionEnvelope) =>
        toWire(envelope, spellings.get(envelope.channel) ?? envelope.channel, this.subscriber.shape),
      )
    return { type: 'replay', actions, missing }
  }

  leaveAll(): void {
    for (const channel of [...this.followed]) this.leave(channel)
  }

  /** A terminal that is being disposed of is gone for everybody who comes now. */
  private find(uri: string): AnyChannel | undefined {
    const channel = this.options.channels.get(uri)
    return channel instanceof TerminalChannel && channel.disposal ? undefined : channel
  }

  private hasRoomFor(channel: AnyChannel): boolean {
    this.forgetGone()
    return this.followed.has(channel) || this.followed.size < this.options.maxSubscriptions
  }

  /** Snapshot and registration are one step: nothing can be lost or doubled between them. */
  private follow(channel: AnyChannel, subscription: Subscription): WireSnapshot {
    if (!this.hasRoomFor(channel)) {
      throw AhpError.of(
        'PermissionDenied',
        `no more than ${this.options.maxSubscriptions} subscriptions; unsubscribe one`,
      )
    }
    // What is held back goes to those who are here already; for the newcomer it is in the snapshot.
    if (channel instanceof TerminalChannel) channel.flush()
    this.followed.add(channel)
    channel.subscribe(this.subscriber, subscription)
    const { shape } = this.subscriber
    const state =
      channel instanceof TerminalChannel ? downTerminalState(channel.state, shape) : downRootState(channel.state, shape)
    return { resource: subscription.spelling, state, fromSeq: this.options.stream.serverSeq }
  }

  private leave(channel: AnyChannel): void {
    this.followed.delete(channel)
    channel.unsubscribe(this.subscriber)
  }

  private forgetGone(): void {
    const { channels } = this.options
    for (const channel of this.followed) if (channels.get(channel.uri) !== channel) this.followed.delete(channel)
  }
}
