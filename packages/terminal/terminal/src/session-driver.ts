/** Performs what `step` decides for one terminal: starts, cancels, closes, publishes, and feeds the results back. */
import type { ActiveSend } from './active-send.js'
import type { Clock } from './clock.js'
import type { Config } from './config.js'
import {
  BetweenSends,
  HeldEvents,
  isPublished,
  OPENING,
  type SessionEffect,
  type SessionInput,
  type SessionState,
  step,
} from './core/index.js'
import { attempt, type Deferred, defer } from './deferred.js'
import { TerminalBackendCleanupError, TerminalError } from './errors.js'
import { toSpawnError, toTerminalError } from './failures.js'
import type { SessionSpec } from './session-spec.js'
import { renderSummary } from './summary.js'
import type {
  BackendEvent,
  BackendSession,
  CloseReport,
  OpenedSession,
  SessionSummary,
  TerminalEvent,
  TerminalSessionId,
  TerminalSize,
} from './types.js'

/** What all terminals share. */
export interface SessionSurroundings {
  readonly config: Config
  readonly clock: Clock
  readonly publish: (id: TerminalSessionId, event: TerminalEvent) => void
  readonly logError: (error: unknown) => void
  /** The process of a terminal ended by itself; the terminal stays readable. */
  readonly handleEnded: (id: TerminalSessionId) => void
  /** A terminal is gone. */
  readonly handleFinished: (id: TerminalSessionId) => void
}

/** The backend's side, as far as it has come. */
type Handle =
  | { readonly kind: 'none' }
  | { readonly kind: 'session'; readonly session: BackendSession }
  /** Left behind by a failed start. */
  | { readonly kind: 'leftover'; readonly cleanup: () => Promise<void> }

export class SessionDriver {
  state: SessionState = OPENING
  size: TerminalSize
  send: ActiveSend | undefined
  readonly between = new BetweenSends()
  private handle: Handle = { kind: 'none' }
  private ending: Deferred<CloseReport> | undefined
  private disarm = (): void => {}
  private readonly held = new HeldEvents<BackendEvent>()
  private readonly abort = new AbortController()
  private readonly opened = defer<OpenedSession>()

  constructor(
    readonly spec: SessionSpec,
    readonly around: SessionSurroundings,
  ) {
    this.size = spec.size
  }

  /** The backend's session, once there is one. */
  get session(): BackendSession | undefined {
    return this.handle.kind === 'session' ? this.handle.session : undefined
  }

  /** Start. Settles once the terminal is published or nothing of it is left, whatever the backend does. */
  open(signal: AbortSignal | undefined): Promise<OpenedSession> {
    const { backend, sessionId, owner, cwd, size } = this.spec
    const handleAbort = () => this.apply({ type: 'caller-aborted', reason: signal?.reason })
    signal?.addEventListener('abort', handleAbort, { once: true })
    const emit = (event: BackendEvent) => this.handleBackendEvent(event)
    attempt(() => backend.open({ sessionId, owner, cwd, size, signal: this.abort.signal, emit })).then(
      (session) => this.handleOpened(session),
      (error: unknown) => this.handleOpenFailure(error),
    )
    return this.opened.promise.finally(() => signal?.removeEventListener('abort', handleAbort))
  }

  /** Ask for the end and await it. Whoever asks while it is under way joins. */
  endWith(input: SessionInput): Promise<CloseReport> {
    if (this.state.kind === 'closed') return Promise.resolve({ killed: this.state.killed })
    this.ending ??= defer()
    const { promise } = this.ending
    this.apply(input)
    return promise
  }

  apply(input: SessionInput): void {
    const { state, effects } = step(this.state, input)
    this.state = state
    for (const effect of effects) this.perform(effect)
  }

  cancelSend(reason: unknown): void {
    try {
      this.send?.cancel(reason)
    } catch (error) {
      this.around.logError(error)
    }
  }

  summary(): SessionSummary {
    return renderSummary(this, this.around.logError)
  }

  private handleOpened(session: BackendSession): void {
    this.handle = { kind: 'session', session }
    this.apply({ type: 'backend-opened' })
  }

  private handleOpenFailure(cause: unknown): void {
    const error = toSpawnError(cause)
    if (cause instanceof TerminalBackendCleanupError) {
      this.handle = { kind: 'leftover', cleanup: () => cause.cleanup() }
      const cleanupError = toTerminalError(cause.cleanupError, 'CLEANUP_FAILED')
      this.apply({ type: 'backend-failed', error, cleanupError })
    } else {
      this.apply({ type: 'backend-failed', error })
    }
  }

  private handleBackendEvent(event: BackendEvent): void {
    if (this.state.kind === 'opening') this.held.add(event)
    if (event.type === 'exited') {
      if (event.status.kind !== 'running') this.apply({ type: 'process-exited', status: event.status })
    } else if (isPublished(this.state)) {
      if (!this.send?.hasBegun) this.noteUnseen(event)
      this.around.publish(this.spec.sessionId, event)
    }
  }

  private noteUnseen(event: BackendEvent): void {
    if (event.type === 'data') this.between.addOutput(event.bytes)
    if (event.type === 'command-finished') this.between.addCommandEnd(event)
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
        this.cancelSendForClose(effect.attempt)
        break
      case 'release-send':
        this.releaseSend()
        break
      case 'end-process':
        this.endProcess(effect.attempt)
        break
      case 'keep-ended':
        this.keepEnded()
        break
      case 'announce-claim':
        this.announce({ type: 'claimed', claim: effect.claim })
        break
      case 'announce-exit':
        this.announce({ type: 'exited', status: effect.status })
        break
      case 'finish':
        this.finish(effect.killed, effect.wasPublished)
        break
      case 'report-failure':
        this.reportFailure(effect.error)
        break
    }
  }

  private announce(event: TerminalEvent): void {
    this.around.publish(this.spec.sessionId, event)
  }

  private abortOpen(reason: unknown): void {
    const { abortWaitMs } = this.around.config
    const fact = `The start of a terminal of type "${this.spec.backend.type}" did not stop within ${abortWaitMs} ms of being aborted.`
    const error = new TerminalError('CLEANUP_FAILED', fact)
    this.arm(abortWaitMs, () => this.apply({ type: 'abort-overdue', error }))
    this.abort.abort(reason)
  }

  private publish(): void {
    const summary = this.summary()
    this.announce({ type: 'opened', summary, owner: this.spec.owner })
    for (const event of this.held.drain()) this.announce(event)
    const { motd = '', confinement } = this.session ?? {}
    this.opened.resolve({ ...summary, motd, ...(confinement === undefined ? {} : { confinement }) })
  }

  private cancelSendForClose(attemptNumber: number): void {
    this.arm(this.around.config.cancelWaitMs, () => this.apply({ type: 'send-overdue', attempt: attemptNumber }))
    this.cancelSend(new TerminalError('SESSION_CLOSING', 'The terminal is being closed.'))
  }

  private releaseSend(): void {
    try {
      this.send?.release('A person has sent this to the background: it goes on running.')
    } catch (error) {
      this.around.logError(error)
    }
  }

  private endProcess(attemptNumber: number): void {
    const { closeTimeoutMs } = this.around.config
    let isOverdue = false
    const fail = (cause: unknown) => {
      const error = toTerminalError(cause, 'CLEANUP_FAILED')
      this.apply({ type: 'close-failed', attempt: attemptNumber, error })
    }
    this.arm(closeTimeoutMs, () => {
      isOverdue = true
      fail(new Error(`Closing the terminal did not finish within ${closeTimeoutMs} ms.`))
    })
    attempt(() => this.endHandle()).then(
      ({ killed }) => this.apply({ type: 'close-succeeded', killed }),
      // Nobody waits for an attempt that is overdue or was overtaken, but what it found is worth knowing.
      (error: unknown) => (isOverdue || this.state.kind === 'closed' ? this.around.logError(error) : fail(error)),
    )
  }

  private async endHandle(): Promise<CloseReport> {
    if (this.handle.kind === 'session') return this.handle.session.close()
    if (this.handle.kind === 'leftover') await this.handle.cleanup()
    return { killed: false }
  }

  private keepEnded(): void {
    const { config, clock, logError, handleEnded } = this.around
    this.disarm()
    this.disarm = clock.inBackground(config.endedRetentionMs, () => {
      this.endWith({ type: 'close-requested' }).catch(logError)
    })
    handleEnded(this.spec.sessionId)
  }

  private finish(killed: boolean, wasPublished: boolean): void {
    this.disarm()
    if (wasPublished) this.announce({ type: 'closed', killed })
    this.around.handleFinished(this.spec.sessionId)
    this.abandonSend()
    this.ending?.resolve({ killed })
    this.ending = undefined
  }

  private reportFailure(error: unknown): void {
    this.disarm()
    this.abandonSend()
    if (this.ending) this.ending.reject(error)
    else this.around.logError(error)
    this.ending = undefined
  }

  /** An attempt to close is over, so nobody is to wait for a send any longer, whatever became of it. */
  private abandonSend(): void {
    const { send } = this
    // The backend may say how the send ended in the same breath as it says how the close ended.
    if (send) this.around.clock.after(0, () => send.abandon())
  }

  /** One wait at a time: each state waits for one thing. */
  private arm(delayMs: number, run: () => void): void {
    this.disarm()
    this.disarm = this.around.clock.after(delayMs, run)
  }
}
