/** One subscribed channel as the user of the client sees it. */
import type { ActionEnvelope, Snapshot } from '../protocol/index.js'
import {
  applyEnvelope,
  applySnapshot,
  type ChannelState,
  LOADING,
  loseChannel,
  type Mirror,
  type MirrorKind,
} from './mirror.js'

export type ChannelEvent<State> =
  /** The state has been replaced as a whole: at the beginning, and after a break that could not be bridged. */
  | { readonly type: 'snapshot'; readonly state: State }
  | { readonly type: 'action'; readonly envelope: ActionEnvelope; readonly state: State }
  | { readonly type: 'gone' }

/** A view, whatever kind of state it has. */
export type AnyView = Pick<
  ChannelView<never>,
  | 'uri'
  | 'maxLatencyMs'
  | 'isLive'
  | 'isGone'
  | 'users'
  | 'handleReset'
  | 'handleSnapshot'
  | 'handleEnvelope'
  | 'handleGone'
>

export class ChannelView<State extends ChannelState = ChannelState> {
  private mirror: Mirror<State> = LOADING
  private readonly listeners = new Set<(event: ChannelEvent<State>) => void>()
  /** How many have asked for it. */
  users = 0

  constructor(
    readonly uri: string,
    readonly maxLatencyMs: number | undefined,
    private readonly kind: MirrorKind<State>,
    private readonly handleListenerError: (error: unknown) => void,
  ) {}

  /** The confirmed state. `undefined` before the first snapshot. */
  get state(): State | undefined {
    return this.mirror.kind === 'loading' ? undefined : this.mirror.state
  }

  get isLive(): boolean {
    return this.mirror.kind === 'live'
  }

  get isGone(): boolean {
    return this.mirror.kind === 'gone'
  }

  /** Everything up to it is in the state; `undefined` before the first snapshot. */
  get seq(): number | undefined {
    return this.mirror.kind === 'live' ? this.mirror.seq : undefined
  }

  /** @returns a release. */
  onEvent(listener: (event: ChannelEvent<State>) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** What is known has nothing to do with what comes: the host starts over. */
  handleReset(): void {
    this.mirror = LOADING
  }

  handleSnapshot(snapshot: Snapshot): void {
    const before = this.mirror
    // Envelopes behind the snapshot have been applied already: what is here is the newer state.
    if (before.kind === 'live' && before.seq >= snapshot.fromSeq) return
    // The listeners see the snapshot itself first, then what had been waiting for it.
    this.mirror = applySnapshot<State>(LOADING, snapshot, this.kind).mirror
    if (this.mirror.kind === 'live') this.emit({ type: 'snapshot', state: this.mirror.state })
    if (before.kind === 'loading') for (const envelope of before.held) this.handleEnvelope(envelope)
  }

  handleEnvelope(envelope: ActionEnvelope): void {
    const { mirror, applied } = applyEnvelope(this.mirror, envelope, this.kind)
    this.mirror = mirror
    if (mirror.kind !== 'live') return
    for (const each of applied) this.emit({ type: 'action', envelope: each, state: mirror.state })
  }

  handleGone(): void {
    if (this.mirror.kind === 'gone') return
    this.mirror = loseChannel(this.mirror)
    this.emit({ type: 'gone' })
  }

  private emit(event: ChannelEvent<State>): void {
    for (const listener of [...this.listeners]) {
      try {
        listener(event)
      } catch (error) {
        this.handleListenerError(error)
      }
    }
  }
}
