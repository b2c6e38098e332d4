/** `ctx.terminals`: checks who asks, then hands the call to the one terminal it is about. */
import { type Context, Service } from '@deepseek-ai/cordis'
import { checkSize, resolveSpec } from './admission.js'
import { BackendRegistry } from './backends.js'
import { type Clock, systemClock } from './clock.js'
import type { Config } from './config.js'
import { defer } from './deferred.js'
import { TerminalError } from './errors.js'
import { EventHub } from './event-hub.js'
import { messageOf } from './failures.js'
import { createObservers } from './observers.js'
import { identityOf, type OwnerRecord } from './owner.js'
import { SessionRegistry } from './registry.js'
import { endAll, reportFailures } from './release.js'
import { Session } from './session.js'
import type { SessionSurroundings } from './session-driver.js'
import {
  type CloseReport,
  type HeldTerminal,
  type OpenedSession,
  type ReadRequest,
  type RemainingProcess,
  type ScrollbackPage,
  type SendRequest,
  type SessionSummary,
  type SignalDelivery,
  type SpawnRequest,
  TERMINAL_SIGNALS,
  type TerminalBackend,
  type TerminalObservers,
  type TerminalOwner,
  type TerminalSend,
  type TerminalSessionId,
  type TerminalSessions,
  type TerminalSignal,
  type TerminalSize,
} from './types.js'
import type { ScreenRequest, ScreenSnapshot, SearchRequest, SearchResult } from './views.js'

export class TerminalSessionService extends Service implements TerminalSessions {
  readonly observers: TerminalObservers
  private readonly registered = new BackendRegistry()
  private readonly registry = new SessionRegistry()
  private readonly surroundings: SessionSurroundings
  /** Owners that have ended, with the release that ended them. */
  private readonly releases = new WeakMap<TerminalOwner, Promise<void>>()
  private readonly lifetime = { isDisposed: false }

  constructor(ctx: Context, config: Config, clock: Clock = systemClock) {
    super(ctx, 'terminals')
    const events = new EventHub(ctx)
    this.observers = createObservers(this.registry, events)
    this.surroundings = {
      config,
      clock,
      publish: (id, event) => events.publish(id, event),
      logError: (error) => ctx.logger.error(error),
      handleEnded: (id) => this.dropOldestEnded(id),
      handleFinished: (id) => this.registry.remove(id),
    }
    ctx.effect(() => () => this.dispose(), 'ctx.terminals sessions')
  }

  /** Registered until released or until the caller's scope ends. Its terminals live on. @throws TerminalError `TYPE_TAKEN`. */
  registerBackend(backend: TerminalBackend): () => void {
    this.requireService()
    return this.ctx.effect(() => this.registered.add(backend), `ctx.terminals.registerBackend(${backend.type})`)
  }

  backends(): readonly Pick<TerminalBackend, 'type' | 'description'>[] {
    return this.registered.list().map(({ type, description }) => ({ type, description }))
  }

  async spawn(owner: TerminalOwner, request: SpawnRequest): Promise<OpenedSession> {
    this.requireService()
    if (request.signal?.aborted) throw request.signal.reason
    const record = this.openRecord(identityOf(owner))
    try {
      const spec = resolveSpec(record.owner, request, record.sessions, {
        backends: this.registered,
        config: this.surroundings.config,
        now: this.surroundings.clock.now(),
      })
      const session = new Session(spec, this.surroundings)
      this.registry.add(record, session)
      return await session.open(request.signal)
    } finally {
      this.registry.dropIfIdle(record)
    }
  }

  send(owner: TerminalOwner, id: TerminalSessionId, request: SendRequest): TerminalSend {
    return this.find(owner, id).send(request)
  }

  read(owner: TerminalOwner, id: TerminalSessionId, request: ReadRequest): ScrollbackPage {
    return this.find(owner, id).read(request)
  }

  async screen(owner: TerminalOwner, id: TerminalSessionId, request: ScreenRequest): Promise<ScreenSnapshot> {
    return this.find(owner, id).screen(request)
  }

  async search(owner: TerminalOwner, id: TerminalSessionId, request: SearchRequest): Promise<SearchResult> {
    return this.find(owner, id).search(request)
  }

  resize(owner: TerminalOwner, id: TerminalSessionId, size: TerminalSize): void {
    const session = this.find(owner, id)
    checkSize(size)
    session.resizeForOwner(size)
  }

  async signal(owner: TerminalOwner, id: TerminalSessionId, signal: TerminalSignal): Promise<SignalDelivery> {
    const session = this.find(owner, id)
    if (!TERMINAL_SIGNALS.includes(signal)) {
      const advice = `Use one of ${TERMINAL_SIGNALS.join(', ')}.`
      throw new TerminalError('SIGNAL_INVALID', `"${String(signal).slice(0, 32)}" cannot be sent. ${advice}`)
    }
    return session.signal(signal)
  }

  async close(owner: TerminalOwner, id: TerminalSessionId): Promise<CloseReport> {
    return this.find(owner, id).closeForOwner()
  }

  async remaining(owner: TerminalOwner, id: TerminalSessionId): Promise<readonly RemainingProcess[] | undefined> {
    return this.find(owner, id).remaining()
  }

  async takesSecret(owner: TerminalOwner, id: TerminalSessionId): Promise<boolean> {
    return this.find(owner, id).takesSecret()
  }

  get(owner: TerminalOwner, id: TerminalSessionId): SessionSummary {
    return this.find(owner, id).summary()
  }

  list(owner: TerminalOwner): readonly SessionSummary[] {
    const sessions = this.registry.recordOf(owner)?.sessions ?? []
    return [...sessions].filter((session) => session.isPublished).map((session) => session.summary())
  }

  hasOwnerActivity(owner: TerminalOwner): boolean {
    return this.registry.recordOf(owner) !== undefined
  }

  listHeld(owner: TerminalOwner): readonly HeldTerminal[] {
    const sessions = this.registry.recordOf(owner)?.sessions ?? []
    return [...sessions].flatMap((session) => session.held() ?? [])
  }

  activeOwners(): readonly TerminalOwner[] {
    return this.registry.ownerRecords().map(({ owner }) => owner)
  }

  /** Close everything of an owner and refuse anything new. A second call joins the first. @throws TerminalCleanupError */
  releaseOwner(owner: TerminalOwner): Promise<void> {
    const identity = identityOf(owner)
    const running = this.releases.get(identity)
    if (running) return running
    // Noted before anything is ended, so that nothing new can start in between.
    const { promise, resolve, reject } = defer<void>()
    this.releases.set(identity, promise)
    this.endOwner(identity).then(resolve, reject)
    return promise
  }

  /** A release that throws is only logged by Cordis; an owner that keeps a record of failures gets this one. */
  private async handleScopeEnd(owner: TerminalOwner): Promise<void> {
    try {
      await this.releaseOwner(owner)
    } catch (error) {
      if (!owner.recordFailure) throw error
      owner.recordFailure(error)
    }
  }

  private async endOwner(owner: TerminalOwner): Promise<void> {
    const record = this.registry.recordOf(owner)
    if (!record) return
    const reason = new TerminalError('OWNER_GONE', 'The owner of the terminal has ended.')
    const sessions = [...record.sessions]
    const inClientHands = sessions.filter((session) => session.isInClientHands)
    const ending = endAll(
      sessions.filter((session) => !inClientHands.includes(session)),
      reason,
    )
    await Promise.all(inClientHands.map((session) => session.stopSend(reason)))
    const failures = await ending
    this.registry.orphan(record)
    reportFailures(failures, `owner ${owner.id}`)
  }

  private async dispose(): Promise<void> {
    this.lifetime.isDisposed = true
    const reason = new TerminalError('DISPOSED', 'The terminal service is shutting down.')
    const sessions = [
      ...this.registry.ownerRecords().flatMap((record) => [...record.sessions]),
      ...this.registry.orphaned(),
    ]
    const failures = await endAll(sessions, reason)
    this.registry.clear()
    this.registered.clear()
    reportFailures(failures, 'the terminal service')
  }

  private requireService(): void {
    if (!this.lifetime.isDisposed) return
    throw new TerminalError('DISPOSED', 'The terminal service is shutting down; nothing can be opened any more.')
  }

  private find(owner: TerminalOwner, id: TerminalSessionId): Session {
    return this.registry.find(owner, id)
  }

  /** @returns the owner's record, tied to the owner's scope. @throws TerminalError `OWNER_GONE`. */
  private openRecord(owner: TerminalOwner): OwnerRecord {
    const existing = this.registry.recordOf(owner)
    if (this.releases.has(owner)) throw ownerGone(owner)
    if (existing) return existing
    const record: OwnerRecord = { owner, sessions: new Set(), ended: new Set(), detach: () => {} }
    let isAttached = true
    try {
      const withdraw = owner.ctx.effect(
        () => async () => {
          if (isAttached) await this.handleScopeEnd(owner)
        },
        `terminals of ${owner.id}`,
      )
      record.detach = () => {
        isAttached = false
        void withdraw()
      }
    } catch (error) {
      throw ownerGone(owner, error)
    }
    this.registry.addOwner(record)
    return record
  }

  private dropOldestEnded(id: TerminalSessionId): void {
    const { config, logError } = this.surroundings
    const surplus = this.registry.noteEnded(id, config.maxEndedPerOwner)
    for (const session of surplus) session.close().catch(logError)
  }
}

function ownerGone(owner: TerminalOwner, cause?: unknown): TerminalError {
  const detail = cause === undefined ? '' : ` (${messageOf(cause)})`
  return new TerminalError('OWNER_GONE', `The owner ${owner.id} has ended${detail}; it can open no more terminals.`, {
    cause,
  })
}
