/** One terminal: feeds what happens into `step` and performs the effects it asks for. */

import { ActiveSend } from './active-send.js'
import type { Clock } from './clock.js'
import type { Config } from './config.js'
import {
  claimOf,
  exitOf,
  HeldEvents,
  isPublished,
  isSending,
  OPENING,
  type Refusal,
  refuseInput,
  refuseOwnerClose,
  refuseResize,
  refuseSend,
  refuseSignal,
  type SessionEffect,
  type SessionInput,
  type SessionState,
  step,
} from './core/index.js'
import { attempt, type Deferred, defer } from './deferred.js'
import { TerminalBackendCleanupError, TerminalError } from './errors.js'
import { toRefusalError, toSpawnError, toTerminalError, withTerminalCode } from './failures.js'
import type {
  BackendDescription,
  BackendEvent,
  BackendSession,
  CloseReport,
  OpenedSession,
  ReadRequest,
  ScrollbackPage,
  SendRequest,
  SessionSummary,
  SignalDelivery,
  TerminalBackend,
  TerminalClaim,
  TerminalEvent,
  TerminalOwner,
  TerminalSend,
  TerminalSessionId,
  TerminalSignal,
  TerminalSize,
} from './types.js'

/** What a terminal is, once its request has been resolved. */
export interface SessionSpec {
  readonly sessionId: TerminalSessionId
  readonly name: string | undefined
  readonly backend: TerminalBackend
  readonly owner: TerminalOwner
  readonly cwd: string
  readonly size: TerminalSize
}

/** What all terminals share. */
export interface SessionSurroundings {
  readonly config: Config
  readonly clock: Clock
  readonly publish: (id: TerminalSessionId, event: TerminalEvent) => void
  readonly logError: (error: unknown) => void
  /** The process ended by itself; the terminal stays readable. */
  readonly handleEnded: (session: Session) => void
  /** The terminal is gone. */
  readonly handleFinished: (session: Session) => void
}

/** The backend's side, as far as it has come. */
type Handle =
  | { readonly kind: 'none' }
  | { readonly kind: 'session'; readonly session: BackendSession }
  /** Left behind by a failed start. */
  | { readonly kind: 'leftover'; readonly cleanup: () => Promise<void> }

const UNKNOWN: BackendDescription = {
  status: { kind: 'running' },
  cwd: undefined,
  foreground: undefined,
  title: undefined,
  idleMs: 0,
  promptDetection: 'none',
  evidence: [],
}

export class Session {
  private state: SessionState = OPENING
  private handle: Handle = { kind: 'none' }
  private size: TerminalSize
  private send: ActiveSend | undefined
  private sendCount = 0
  private ending: Deferred<CloseReport> | undefined
  private stopTimer = (): void => {}
  private readonly openedAt: number
  private readonly held = new HeldEvents<BackendEvent>()
  private readonly abort = new AbortController()
  private readonly opened = defer<OpenedSession>()

  constructor(
    readonly spec: SessionSpec,
    private readonly around: SessionSurroundings,
  ) {
    this.size = spec.size
    this.openedAt = around.clock.now()
  }

  get id(): TerminalSessionId {
    return this.spec.sessionId
  }
  get isOpening(): boolean {
    return this.state.kind === 'opening'
  }
  get isPublished(): boolean {
    return isPublished(this.state)
  }
  get isEnded(): boolean {
    return exitOf(this.state) !== undefined
  }
  get claim(): TerminalClaim {
    return claimOf(this.state)
  }
  /** Whether a person works in it now, so that its owner's end must not take it away. */
  get isInClientHands(): boolean {
    return this.state.kind === 'open' && this.claim.kind === 'client' && !this.isEnded
  }

  /** Start. Settles once the terminal is published or nothing of it is left, whatever the backend does. */
  open(signal: AbortSignal | undefined): Promise<OpenedSession> {
    const { backend, sessionId, owner, cwd, size } = this.spec
    const handleAbort = () => this.apply({ type: 'caller-aborted', reason: signal?.reason })
    signal?.addEventListener('abort', handleAbort, { once: true })
    const emit = (event: BackendEvent) => this.handleBackendEvent(event)
    attempt(() => backend.open({ sessionId, owner, cwd, size, signal: this.abort.signal, emit })).then(
      (session) => this.handleOpened({ kind: 'session', session }),
      (error: unknown) => this.handleOpenFailure(error),
    )
    return this.opened.promise.finally(() => signal?.removeEventListener('abort', handleAbort))
  }

  startSend(request: SendRequest): TerminalSend {
    const session = this.require(refuseSend(this.state))
    const sendId = ++this.sendCount
    this.apply({ type: 'send-started', sendId, turnId: request.turnId, toolCallId: request.toolCallId })
    try {
      this.send = new ActiveSend(session.send(request), () => this.settleSend(sendId))
      return this.send
    } catch (error) {
      this.settleSend(sendId)
      throw withTerminalCode(error)
    }
  }

  async signal(signal: TerminalSignal): Promise<SignalDelivery> {
    const session = this.require(refuseSignal(this.state))
    try {
      return await session.signal(signal)
    } catch (error) {
      throw withTerminalCode(error)
    }
  }

  async input(clientId: string, data: string): Promise<void> {
    await this.require(refuseInput(this.state, clientId)).input(data)
  }

  resize(size: TerminalSize): void {
    const session = this.require(refuseResize(this.state))
    if (size.columns === this.size.columns && size.rows === this.size.rows) return
    session.resize(size)
    this.size = size
    this.around.publish(this.id, { type: 'resized', size })
  }

  setClaim(claim: TerminalClaim): void {
    if (this.state.kind !== 'open') throw toRefusalError({ code: 'SESSION_CLOSING', failed: false })
    this.apply({ type: 'claimed', claim })
  }

  read(request: ReadRequest): ScrollbackPage {
    return this.require(undefined).read(request)
  }

  /** Close for the owner: refused while a person works in it. */
  closeForOwner(): Promise<CloseReport> {
    const refusal = refuseOwnerClose(this.state)
    return refusal ? Promise.reject(toRefusalError(refusal)) : this.close()
  }

  /** Close, join the close under way, or try again after a failed one. */
  close(): Promise<CloseReport> {
    return this.endWith({ type: 'close-requested' })
  }

  /** The owner or the service ends: stop a start under way, close what is open, repeat a clean-up that failed. */
  end(error: Error): Promise<CloseReport> {
    return this.endWith(this.isOpening ? { type: 'lifecycle-ended', error } : { type: 'close-requested' })
  }

  /** Cancel the active send, if any, and wait for its settlement within the configured bound. */
  async stopSend(reason: unknown): Promise<void> {
    const { send } = this
    if (!send) return
    this.cancel(send, reason)
    const overdue = defer<void>()
    const release = this.around.clock.after(this.around.config.cancelWaitMs, overdue.resolve)
    await Promise.race([send.outcome, overdue.promise])
    release()
  }

  summary(): SessionSummary {
    const { foreground, cwd, title, idleMs, promptDetection, evidence } = this.describe()
    return {
      sessionId: this.id,
      name: this.spec.name,
      type: this.spec.backend.type,
      pid: this.handle.kind === 'session' ? this.handle.session.pid : 0,
      status: exitOf(this.state) ?? { kind: 'running' },
      claim: this.claim,
      size: this.size,
      cwd,
      foreground,
      title,
      idleMs,
      sending: isSending(this.state),
      openedAt: this.openedAt,
      promptDetection,
      evidence,
    }
  }

  private describe(): BackendDescription {
    if (this.handle.kind !== 'session') return UNKNOWN
    try {
      return this.handle.session.describe()
    } catch (error) {
      this.around.logError(error)
      return UNKNOWN
    }
  }

  private settleSend(sendId: number): void {
    this.send = undefined
    this.apply({ type: 'send-settled', sendId })
  }

  /** @returns the backend's session, unless the operation is refused. */
  private require(refusal: Refusal | undefined): BackendSession {
    if (refusal) throw toRefusalError(refusal)
    if (this.handle.kind !== 'session') throw toRefusalError({ code: 'SESSION_CLOSING', failed: false })
    return this.handle.session
  }

  private endWith(input: SessionInput): Promise<CloseReport> {
    if (this.state.kind === 'closed') return Promise.resolve({ killed: this.state.killed })
    this.ending ??= defer()
    const { promise } = this.ending
    this.apply(input)
    return promise
  }

  private handleOpened(handle: Handle): void {
    this.handle = handle
    this.apply({ type: 'backend-opened' })
  }

  private handleOpenFailure(error: unknown): void {
    const spawnError = toSpawnError(error)
    if (error instanceof TerminalBackendCleanupError) {
      this.handle = { kind: 'leftover', cleanup: error.cleanup }
      this.apply({
        type: 'backend-failed',
        error: spawnError,
        cleanupError: toTerminalError(error.cleanupError, 'CLEANUP_FAILED'),
      })
    } else {
      this.apply({ type: 'backend-failed', error: spawnError })
    }
  }

  private handleBackendEvent(event: BackendEvent): void {
    if (this.state.kind === 'closed') return
    if (this.state.kind === 'opening') this.held.add(event)
    if (event.type === 'exited') {
      if (event.status.kind !== 'running') this.apply({ type: 'process-exited', status: event.status })
    } else if (this.isPublished) {
      this.around.publish(this.id, event)
    }
  }

  private apply(input: SessionInput): void {
    const { state, effects } = step(this.state, input)
    this.state = state
    for (const effect of effects) this.perform(effect)
  }

  private perform(effect: SessionEffect): void {
    switch (effect.type) {
      case 'abort-open':
        this.abortOpen(effect.reason)
        break
      case 'publish':
        this.publish()
        break
      case 'reject-open':
        this.opened.reject(effect.error)
        break
      case 'cancel-send':
        this.cancelForClose(effect.attempt)
        break
      case 'end-process':
        this.endProcess(effect.attempt)
        break
      case 'keep-ended':
        this.keepEnded()
        break
      case 'announce-claim':
        this.around.publish(this.id, { type: 'claimed', claim: effect.claim })
        break
      case 'announce-exit':
        this.around.publish(this.id, { type: 'exited', status: effect.status })
        break
      case 'finish':
        this.finish(effect.killed, effect.wasPublished)
        break
      case 'report-failure':
        this.reportFailure(effect.error)
        break
    }
  }

  private abortOpen(reason: unknown): void {
    const { abortWaitMs } = this.around.config
    const error = new TerminalError(
      'CLEANUP_FAILED',
      `The start of a terminal of type "${this.spec.backend.type}" did not stop within ${abortWaitMs} ms of being aborted.`,
    )
    this.arm(abortWaitMs, () => this.apply({ type: 'abort-overdue', error }))
    this.abort.abort(reason)
  }

  private publish(): void {
    const { motd } = this.require(undefined)
    const summary = this.summary()
    this.around.publish(this.id, { type: 'opened', summary, owner: this.spec.owner })
    for (const event of this.held.drain()) this.around.publish(this.id, event)
    this.opened.resolve({ ...summary, motd })
  }

  private cancelForClose(attemptNumber: number): void {
    this.arm(this.around.config.cancelWaitMs, () => this.apply({ type: 'send-overdue', attempt: attemptNumber }))
    if (this.send) this.cancel(this.send, new TerminalError('SESSION_CLOSING', 'The terminal is being closed.'))
  }

  private cancel(send: ActiveSend, reason: unknown): void {
    try {
      send.cancel(reason)
    } catch (error) {
      this.around.logError(error)
    }
  }

  private endProcess(attemptNumber: number): void {
    const { closeTimeoutMs } = this.around.config
    const fail = (error: unknown) =>
      this.apply({ type: 'close-failed', attempt: attemptNumber, error: toTerminalError(error, 'CLEANUP_FAILED') })
    this.arm(closeTimeoutMs, () => fail(new Error(`Closing the terminal did not finish within ${closeTimeoutMs} ms.`)))
    attempt(() => this.endHandle()).then(
      ({ killed }) => this.apply({ type: 'close-succeeded', attempt: attemptNumber, killed }),
      fail,
    )
  }

  private async endHandle(): Promise<CloseReport> {
    if (this.handle.kind === 'session') return this.handle.session.close()
    if (this.handle.kind === 'leftover') await this.handle.cleanup()
    return { killed: false }
  }

  private keepEnded(): void {
    const { config, clock } = this.around
    this.stopTimer()
    this.stopTimer = clock.inBackground(config.endedRetentionMs, () => {
      this.close().catch((error: unknown) => this.around.logError(error))
    })
    this.around.handleEnded(this)
  }

  private finish(killed: boolean, wasPublished: boolean): void {
    this.stopTimer()
    if (wasPublished) this.around.publish(this.id, { type: 'closed', killed })
    this.around.handleFinished(this)
    const { send } = this
    if (send) this.around.clock.after(0, () => send.abandon())
    this.ending?.resolve({ killed })
    this.ending = undefined
  }

  private reportFailure(error: unknown): void {
    this.stopTimer()
    if (!this.ending) this.around.logError(error)
    this.ending?.reject(error)
    this.ending = undefined
  }

  /** One wait at a time: each state waits for one thing. */
  private arm(delayMs: number, run: () => void): void {
    this.stopTimer()
    this.stopTimer = this.around.clock.after(delayMs, run)
  }
}
