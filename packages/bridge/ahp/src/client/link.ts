/** The connection of a client over all its breaks: connects, greets, listens for life, and comes back. */
import {
  AhpError,
  type NotificationFrame,
  OFFERED_VERSIONS,
  ROOT_URI,
  type Transport,
  type WireShape,
} from '../protocol/index.js'
import { DEFAULT_BACK_OFF, delayFor } from './back-off.js'
import type { ClientClock } from './globals.js'
import { type Greeted, initialize, isFinal, resume } from './greeting.js'
import { Liveness } from './liveness.js'
import type { AhpClientOptions, ClientStatus } from './options.js'
import { CONNECTION_LOST, Peer } from './peer.js'

export interface LinkOptions {
  readonly settings: AhpClientOptions
  readonly clientId: string
  readonly clock: ClientClock
  /** What to resume: channels whose state is known, and the highest number in them. */
  readonly standing: () => { readonly subscriptions: readonly string[]; readonly lastSeenServerSeq: number }
  readonly onGreeted: (greeted: Greeted) => void
  /** The connection is gone, with everything that was under way on it. */
  readonly onLost: () => void
  readonly onNotification: (notification: NotificationFrame) => void
  readonly onListenerError: (error: unknown) => void
}

const DEFAULTS = { requestTimeoutMs: 30_000, pingAfterMs: 5_000, pongTimeoutMs: 5_000 }

export class Link {
  private current: ClientStatus = { kind: 'connecting', attempt: 0 }
  private peer: Peer | undefined
  /** Agreed on at the first greeting, and kept over breaks. */
  private agreement: Pick<Greeted, 'version' | 'shape'> | undefined
  private cancelRetry: () => void = () => {}
  private readonly listeners = new Set<(status: ClientStatus) => void>()

  constructor(private readonly options: LinkOptions) {}

  get status(): ClientStatus {
    return this.current
  }

  get shape(): WireShape {
    return this.agreement?.shape ?? 'lifecycle'
  }

  start(): void {
    void this.connect(0)
  }

  onStatus(listener: (status: ClientStatus) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** @throws AhpError with the peer's code, or `CONNECTION_LOST`. */
  async request(method: string, params: object): Promise<unknown> {
    if (!this.peer || this.current.kind !== 'ready') {
      throw new AhpError(CONNECTION_LOST, `${method} was not sent: there is no connection`)
    }
    return this.peer.request(method, params)
  }

  /** @returns whether it has been sent. */
  notify(method: string, params: object): boolean {
    if (!this.peer || this.current.kind !== 'ready') return false
    this.peer.notify(method, params)
    return true
  }

  retryNow(): void {
    if (this.current.kind !== 'waiting') return
    this.cancelRetry()
    void this.connect(this.current.attempt)
  }

  /** For good. */
  end(error: Error | undefined): void {
    if (this.isClosed) return
    this.cancelRetry()
    const { peer } = this
    this.peer = undefined
    this.setStatus({ kind: 'closed', error })
    peer?.close()
    this.options.onLost()
  }

  private get isClosed(): boolean {
    return this.current.kind === 'closed'
  }

  private async connect(attempt: number): Promise<void> {
    this.setStatus({ kind: 'connecting', attempt })
    try {
      const transport = await this.options.settings.open()
      if (this.isClosed) transport.close()
      else await this.greet(transport)
    } catch (error) {
      this.handleFailure(error, attempt)
    }
  }

  private async greet(transport: Transport): Promise<void> {
    const { clock, settings, onNotification } = this.options
    const { requestTimeoutMs, pingAfterMs, pongTimeoutMs } = { ...DEFAULTS, ...settings }
    // What comes right behind the answer must not be handled before it.
    const early: NotificationFrame[] = []
    let isGreeted = false
    const peer: Peer = new Peer({
      transport,
      clock,
      requestTimeoutMs,
      onTraffic: () => liveness.handleTraffic(),
      onNotification: (notification) => {
        if (isGreeted) onNotification(notification)
        else early.push(notification)
      },
      onClose: () => {
        liveness.stop()
        this.handleClosed(peer)
      },
    })
    const liveness: Liveness = new Liveness({
      clock,
      pingAfterMs,
      pongTimeoutMs,
      // The answer is traffic; without one, `onDead` ends the connection.
      ping: () => void peer.request('ping', { channel: ROOT_URI }).catch(() => {}),
      onDead: () => peer.close(),
    })
    this.peer = peer
    try {
      const greeted = await this.exchangeGreetings(peer)
      if (this.peer !== peer) return
      this.agreement = greeted
      this.options.onGreeted(greeted)
      isGreeted = true
      for (const notification of early.splice(0)) onNotification(notification)
      this.setStatus({ kind: 'ready', version: greeted.version })
    } catch (error) {
      // Given up before it closes, so that its close is no news.
      this.peer = undefined
      peer.close()
      throw error
    }
  }

  private exchangeGreetings(peer: Peer): Promise<Greeted> {
    const { settings, clientId, standing } = this.options
    const { subscriptions, lastSeenServerSeq } = standing()
    const { clientInfo, protocolVersions = OFFERED_VERSIONS } = settings
    const greeting = { peer, clientId, clientInfo, protocolVersions, subscriptions }
    return this.agreement ? resume(greeting, this.agreement.version, lastSeenServerSeq) : initialize(greeting)
  }

  /** A connection that breaks during the greeting fails the greeting, which leads on from there. */
  private handleClosed(peer: Peer): void {
    if (this.peer !== peer || this.current.kind !== 'ready') return
    this.peer = undefined
    this.options.onLost()
    this.retry(0, undefined)
  }

  private handleFailure(error: unknown, attempt: number): void {
    if (this.isClosed) return
    if (isFinal(error)) this.end(error instanceof Error ? error : new Error(String(error)))
    else this.retry(attempt + 1, error)
  }

  private retry(attempt: number, error: unknown): void {
    if (this.isClosed) return
    const { settings, clock } = this.options
    const backOff = settings.reconnect ?? DEFAULT_BACK_OFF
    if (backOff === 'off') {
      this.end(error instanceof Error ? error : new Error('The connection has ended.'))
      return
    }
    const delayMs = delayFor(attempt, backOff, clock.random())
    this.cancelRetry = clock.after(delayMs, () => void this.connect(attempt))
    this.setStatus({ kind: 'waiting', attempt, delayMs })
  }

  private setStatus(status: ClientStatus): void {
    this.current = status
    for (const listener of [...this.listeners]) {
      try {
        listener(status)
      } catch (error) {
        this.options.onListenerError(error)
      }
    }
  }
}
