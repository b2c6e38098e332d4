/** A client of one AHP host: follows channels and asks for changes. Sheet §11. */
import {
  type ActionEnvelope,
  AhpError,
  downAction,
  downClientClaim,
  findTerminalUriProblem,
  isRecord,
  isRootUri,
  type NotificationFrame,
  ROOT_URI,
  type RootState,
  TERMINAL_PREFIX,
  type TerminalAction,
  type TerminalClaim,
  type TerminalState,
  upEnvelope,
  upSnapshot,
} from '../protocol/index.js'
import { type AnyView, ChannelView } from './channel-view.js'
import { mintId, systemClock } from './globals.js'
import type { Greeted } from './greeting.js'
import { Link } from './link.js'
import { ROOT_MIRROR, terminalMirror } from './mirror.js'
import type { AhpClientOptions, ClientStatus } from './options.js'
import { type DispatchOutcome, PendingActions } from './pending.js'

export interface CreateTerminalOptions {
  /** Minted when left out. */
  readonly uri?: string
  /** The client itself when left out. */
  readonly claim?: TerminalClaim
  readonly name?: string
  /** `file:` URI. */
  readonly cwd?: string
  readonly cols?: number
  readonly rows?: number
}

const DEFAULT_MAX_CONTENT_UNITS = 4 << 20

export class AhpClient {
  readonly clientId: string
  private readonly link: Link
  private readonly pending = new PendingActions()
  private rootView: ChannelView<RootState> | undefined
  private readonly terminalViews = new Map<string, ChannelView<TerminalState>>()
  private readonly rejectionListeners = new Set<(envelope: ActionEnvelope) => void>()
  private lastSeen = 0
  private nextClientSeq = 1

  /** Connects at once, and again after every break. */
  constructor(private readonly options: AhpClientOptions) {
    this.clientId = options.clientId ?? mintId()
    this.link = new Link({
      settings: options,
      clientId: this.clientId,
      clock: options.clock ?? systemClock,
      standing: () => ({
        // A channel without a state cannot be resumed: it is asked for anew afterwards.
        subscriptions: this.views().flatMap(({ isLive, uri }) => (isLive ? [uri] : [])),
        lastSeenServerSeq: this.lastSeen,
      }),
      onGreeted: (greeted) => this.handleGreeted(greeted),
      onLost: () => this.pending.giveUp(),
      onNotification: (notification) => this.handleNotification(notification),
      onListenerError: this.handleListenerError,
    })
    this.link.onStatus(({ kind }) => {
      if (kind === 'ready') this.loadRest()
    })
    this.link.start()
  }

  get status(): ClientStatus {
    return this.link.status
  }

  /** Own actions whose outcome is not known yet. */
  get pendingCount(): number {
    return this.pending.size
  }

  /** Highest number of anything that is part of a state here. */
  get lastSeenServerSeq(): number {
    return this.lastSeen
  }

  /** @returns a release. */
  onStatus(listener: (status: ClientStatus) => void): () => void {
    return this.link.onStatus(listener)
  }

  /** Refusals of this client's own actions: the only answer to "why can I not type". @returns a release. */
  onRejection(listener: (envelope: ActionEnvelope) => void): () => void {
    this.rejectionListeners.add(listener)
    return () => this.rejectionListeners.delete(listener)
  }

  /** Resolves when the client is ready. @throws the error with which it ended instead. */
  waitForReady(): Promise<void> {
    return new Promise((resolve, reject) => {
      const isSettledBy = (status: ClientStatus): boolean => {
        if (status.kind === 'ready') resolve()
        else if (status.kind === 'closed') reject(status.error ?? new Error('The client has been closed.'))
        return status.kind === 'ready' || status.kind === 'closed'
      }
      if (isSettledBy(this.status)) return
      const release = this.onStatus((status) => {
        if (isSettledBy(status)) release()
      })
    })
  }

  /** Follow the list of terminals. */
  async subscribeRoot(): Promise<ChannelView<RootState>> {
    this.rootView ??= new ChannelView<RootState>(ROOT_URI, undefined, ROOT_MIRROR, this.handleListenerError)
    const view = this.rootView
    await this.join(view)
    return view
  }

  /**
   * Follow a terminal until `unsubscribe`, over breaks. Asking again gives the same view.
   * @throws AhpError `NotFound` when there is none.
   */
  async subscribeTerminal(
    uri: string,
    options: { readonly maxLatencyMs?: number } = {},
  ): Promise<ChannelView<TerminalState>> {
    const problem = findTerminalUriProblem(uri)
    if (problem !== undefined) throw new TypeError(`${uri} cannot be a terminal: ${problem}.`)
    const kind = terminalMirror(this.options.maxContentUnits ?? DEFAULT_MAX_CONTENT_UNITS)
    const view =
      this.terminalViews.get(uri) ??
      new ChannelView<TerminalState>(uri, options.maxLatencyMs, kind, this.handleListenerError)
    this.terminalViews.set(uri, view)
    await this.join(view)
    return view
  }

  /** Follow no longer, once everybody who asked has left. */
  unsubscribe(view: AnyView): void {
    if (this.find(view.uri) !== view || --view.users > 0) return
    this.forget(view)
    this.link.notify('unsubscribe', { channel: view.uri })
  }

  /** Start a terminal. It is not followed by that. @returns its URI. @throws AhpError as the host has it. */
  async createTerminal(options: CreateTerminalOptions = {}): Promise<string> {
    const { uri = `${TERMINAL_PREFIX}${mintId()}`, claim, ...rest } = options
    const own: TerminalClaim = claim ?? { kind: 'client', clientId: this.clientId }
    await this.request('createTerminal', { ...rest, channel: uri, claim: downClientClaim(own, this.link.shape) })
    return uri
  }

  async disposeTerminal(uri: string): Promise<void> {
    await this.request('disposeTerminal', { channel: uri })
  }

  /** Ask for a change. Nothing changes here until the host confirms it. Not sent, and `unknown`, without a connection. */
  dispatch(uri: string, action: TerminalAction): Promise<DispatchOutcome> {
    const unknown: DispatchOutcome = { kind: 'unknown' }
    const clientSeq = this.nextClientSeq
    const params = { channel: uri, clientSeq, action: downAction(action, this.link.shape) }
    if (!this.link.notify('dispatchAction', params)) return Promise.resolve(unknown)
    this.nextClientSeq++
    return this.find(uri)?.isLive ? this.pending.add(clientSeq, uri) : Promise.resolve(unknown)
  }

  /** A request of the protocol that has no method here. @throws AhpError. */
  request(method: string, params: object): Promise<unknown> {
    return this.link.request(method, params)
  }

  /** Do not wait for the next try: somebody asks for it, or the network is back. Nothing while there is no such wait. */
  retryNow(): void {
    this.link.retryNow()
  }

  /** Leave for good. Terminals and claims stay as they are. */
  close(): void {
    this.link.end(undefined)
  }

  private views(): readonly AnyView[] {
    return [...(this.rootView ? [this.rootView] : []), ...this.terminalViews.values()]
  }

  private find(uri: string): AnyView | undefined {
    return isRootUri(uri) ? this.rootView : this.terminalViews.get(uri)
  }

  private forget(view: AnyView): void {
    if (this.rootView === view) this.rootView = undefined
    else this.terminalViews.delete(view.uri)
    this.pending.giveUp(view.uri)
  }

  private async join(view: AnyView): Promise<void> {
    view.users++
    if (view.isLive) return
    try {
      await this.load(view)
    } catch (error) {
      if (this.find(view.uri) === view) this.forget(view)
      throw error
    }
  }

  private async load(view: AnyView): Promise<void> {
    const { maxLatencyMs, uri } = view
    const delivery = maxLatencyMs === undefined ? {} : { delivery: { maxLatencyMs } }
    const result = await this.request('subscribe', { channel: uri, ...delivery })
    const snapshot = isRecord(result) ? upSnapshot(result.snapshot, this.link.shape) : undefined
    if (!snapshot) throw AhpError.of('InvalidParams', `the host gave no state for ${uri}`)
    view.handleSnapshot(snapshot)
    this.lastSeen = Math.max(this.lastSeen, snapshot.fromSeq)
  }

  private handleGreeted({ kind, serverSeq, snapshots, actions, missing }: Greeted): void {
    if (kind === 'anew') this.lastSeen = serverSeq
    for (const uri of missing) this.lose(uri)
    for (const snapshot of snapshots) {
      const view = this.find(snapshot.resource)
      view?.handleReset()
      view?.handleSnapshot(snapshot)
      this.lastSeen = Math.max(this.lastSeen, snapshot.fromSeq)
    }
    for (const envelope of actions) this.handleEnvelope(envelope)
  }

  /** Channels whose state is not known yet, and those followed with a wish that a reconnection does not carry. */
  private loadRest(): void {
    for (const view of this.views()) {
      // Whoever asked for it has been told of the failure by the call that asked, or sees that the view has no state.
      if (!view.isLive || view.maxLatencyMs !== undefined) this.load(view).catch(() => {})
    }
  }

  private handleNotification({ method, params }: NotificationFrame): void {
    if (method !== 'action') return
    const envelope = upEnvelope(params, this.link.shape)
    if (envelope) this.handleEnvelope(envelope)
  }

  private handleEnvelope(envelope: ActionEnvelope): void {
    const view = this.find(envelope.channel)
    view?.handleEnvelope(envelope)
    // An envelope that waits for a snapshot is not part of any state yet.
    if (!view || view.isLive) this.lastSeen = Math.max(this.lastSeen, envelope.serverSeq)
    const { origin, rejectionReason } = envelope
    if (origin?.clientId !== this.clientId) return
    this.pending.settle(origin.clientSeq, envelope)
    if (rejectionReason === undefined) return
    for (const listener of [...this.rejectionListeners]) {
      try {
        listener(envelope)
      } catch (error) {
        this.handleListenerError(error)
      }
    }
  }

  private lose(uri: string): void {
    const view = this.find(uri)
    if (!view) return
    this.forget(view)
    view.handleGone()
  }

  private readonly handleListenerError = (error: unknown): void => this.options.onListenerError?.(error)
}
