/** One connection: reads messages, answers requests, passes actions on. Sheet §3 and §5. */
import {
  AHP_ERRORS,
  AhpError,
  CLOSE_CODES,
  isRecord,
  type NotificationFrame,
  parseFrame,
  type RequestFrame,
  renderError,
  renderResult,
  type Transport,
  type WireShape,
} from '../protocol/index.js'
import type { Rendering } from './action-stream.js'
import type { Clock } from './clock.js'
import type { Config } from './config.js'
import type { ConnectionState, Ready } from './connection-state.js'
import { fullBucket, takeToken } from './core/index.js'
import type { ActionDispatch, Dispatcher } from './dispatch.js'
import type { Handshake } from './handshake.js'
import { Outbox } from './outbox.js'
import { Subscriptions, type SubscriptionsOptions } from './subscriptions.js'
import type { TerminalCommands } from './terminal-commands.js'

export interface ConnectionServices {
  readonly config: Config
  readonly clock: Clock
  readonly handshake: Handshake
  readonly commands: TerminalCommands
  readonly dispatch: ActionDispatch
  readonly subscriptions: SubscriptionsOptions
  readonly logError: (error: unknown) => void
  /** The connection is over. */
  readonly handleClosed: (connection: Connection) => void
}

export class Connection implements Dispatcher {
  private state: ConnectionState = { kind: 'fresh' }
  private readonly outbox: Outbox
  private readonly subscriptions: Subscriptions
  private malformed = 0
  private bucket

  constructor(
    private readonly transport: Transport,
    readonly principal: string,
    private readonly services: ConnectionServices,
  ) {
    this.outbox = new Outbox(transport, services.config)
    this.subscriptions = new Subscriptions(services.subscriptions, this)
    this.bucket = fullBucket(this.rate, services.clock.now())
  }

  get clientId(): string {
    return this.state.kind === 'ready' ? this.state.clientId : ''
  }

  get shape(): WireShape {
    return this.state.kind === 'ready' ? this.state.shape : 'lifecycle'
  }

  /** Begin to read. */
  start(): void {
    this.transport.listen({
      onMessage: (text) => this.handleMessage(text),
      onClose: () => this.handleClose(),
      onDrain: () => this.outbox.handleDrain(),
    })
  }

  post(rendering: Rendering, spelling: string): void {
    if (this.state.kind !== 'closed') this.outbox.post(rendering, spelling, this.shape)
  }

  /** End it from this side: nothing that still comes is read, however long the peer takes to leave. */
  close(code: number = CLOSE_CODES.normal, reason = ''): void {
    this.handleClose()
    this.transport.close(code, reason)
  }

  private get rate() {
    const { messagesPerSecond, messageBurst } = this.services.config
    return { perSecond: messagesPerSecond, burst: messageBurst }
  }

  private handleMessage(text: string): void {
    if (this.state.kind === 'closed') return
    const { bucket, isGranted } = takeToken(this.bucket, this.services.clock.now(), this.rate)
    this.bucket = bucket
    if (!isGranted) {
      this.close(CLOSE_CODES.policy, 'too many messages')
      return
    }
    const frame = text.length > this.services.config.maxFrameBytes ? undefined : parseFrame(text)
    if (!frame) {
      this.close(CLOSE_CODES.policy, 'message too large')
      return
    }
    if (frame.kind === 'bad') {
      this.handleBadFrame(frame.reason === 'not-json', frame.id)
      return
    }
    this.malformed = 0
    if (frame.kind === 'request') this.handleRequest(frame)
    else if (frame.kind === 'notification') this.handleNotification(frame)
    // Answers are not expected: a terminal host asks nothing.
  }

  private handleBadFrame(isUnparsable: boolean, id: RequestFrame['id'] | null): void {
    const error = isUnparsable
      ? AhpError.of('ParseError', 'the message is not JSON')
      : AhpError.of('InvalidRequest', 'the message is not one JSON-RPC 2.0 object')
    this.outbox.send(renderError(isUnparsable ? null : id, error))
    if (++this.malformed >= this.services.config.maxMalformed) this.close(CLOSE_CODES.malformed, 'malformed messages')
  }

  private handleRequest(request: RequestFrame): void {
    // Liveness must not wait for anything.
    if (request.method === 'ping') {
      this.outbox.sendNow(renderResult(request.id, null))
      return
    }
    try {
      const answer = this.answer(request)
      if (answer instanceof Promise) {
        answer.then(
          () => this.reply(renderResult(request.id, null)),
          (error: unknown) => this.fail(request, error),
        )
      } else this.reply(renderResult(request.id, answer))
    } catch (error) {
      this.fail(request, error)
    }
  }

  /** Synchronous wherever it can be, so that the answer keeps its place among the envelopes. */
  private answer({ method, params }: RequestFrame): object | null | Promise<void> {
    if (method === 'initialize' || method === 'reconnect') return this.greet(method, params)
    if (this.state.kind !== 'ready') throw AhpError.of('InvalidRequest', 'send initialize or reconnect first')
    if (!isRecord(params) || typeof params.channel !== 'string') {
      throw AhpError.of('InvalidParams', 'params.channel must be a URI')
    }
    switch (method) {
      case 'subscribe':
        return this.subscriptions.subscribe(params)
      case 'createTerminal':
        return this.services.commands.create(params, this)
      case 'disposeTerminal':
        return this.services.commands.dispose(params)
      case 'listSessions':
        return { items: [] }
      case 'authenticate':
        throw AhpError.of('InvalidParams', 'no resource here needs authentication')
      default:
        throw AhpError.of('MethodNotFound', `no such method: ${method.slice(0, 64)}`)
    }
  }

  private greet(method: 'initialize' | 'reconnect', params: unknown): object {
    if (this.state.kind !== 'fresh') throw AhpError.of('InvalidRequest', 'the connection is initialised already')
    const { handshake } = this.services
    const become = (ready: Ready) => {
      this.state = ready
    }
    return method === 'initialize'
      ? handshake.initialize(params, { principal: this.principal, subscriptions: this.subscriptions, become })
      : handshake.reconnect(params, { principal: this.principal, subscriptions: this.subscriptions, become })
  }

  private handleNotification({ method, params }: NotificationFrame): void {
    if (this.state.kind !== 'ready') return
    try {
      if (method === 'dispatchAction') this.services.dispatch.handle(params, this)
      else if (method === 'unsubscribe') this.subscriptions.unsubscribe(params)
    } catch (error) {
      // Nobody waits for an answer, and no peer may bring the host down.
      this.services.logError(error)
    }
  }

  private reply(text: string): void {
    if (this.state.kind !== 'closed') this.outbox.send(text)
  }

  private fail({ id }: RequestFrame, cause: unknown): void {
    const error = cause instanceof AhpError ? cause : AhpError.of('InternalError', 'the host failed; see its log')
    if (error !== cause) this.services.logError(cause)
    this.reply(renderError(id, error))
    if (error.code === AHP_ERRORS.UnsupportedProtocolVersion) this.close(CLOSE_CODES.normal, 'no common version')
  }

  private handleClose(): void {
    if (this.state.kind === 'closed') return
    const { state } = this
    this.subscriptions.leaveAll()
    this.outbox.clear()
    this.state = { kind: 'closed' }
    if (state.kind === 'ready') this.services.handshake.leave(state.clientId)
    this.services.handleClosed(this)
  }
}
