/**
 * What the model test can do to a service, and what it has seen of it. The backend side obeys the generated commands only: it
 * succeeds, fails, hangs or answers late as they say.
 */
import type { Deferred } from '../../src/deferred.js'
import { TerminalBackendCleanupError, type TerminalSend, type TerminalSessionId } from '../../src/index.js'
import { buildHouse, type House, type ScopedOwner, settle } from '../house.js'
import type { ScriptedOpen, ScriptedSend, ScriptedSession } from '../scripted-backend.js'

/** A promise the service has given out, and how it ended. */
interface Given {
  readonly what: string
  outcome: { readonly state: 'pending' | 'resolved' } | { readonly state: 'rejected'; readonly error: unknown }
}

interface Spawn {
  readonly owner: number
  readonly caller: AbortController
  readonly reason: object
  readonly given: Given
  /** `undefined` when the spawn was refused before the backend heard of it. */
  readonly open: ScriptedOpen | undefined
  verdict: 'pending' | 'succeeded' | 'failed' | 'left behind'
  cleanupWorks: boolean
  published: TerminalSessionId | undefined
  /** Whether the caller aborted before a bound could have decided the spawn, so that it must reject with the caller's reason. */
  isReasonDue: boolean
}

export const CONFIG = {
  abortWaitMs: 1_000,
  cancelWaitMs: 500,
  closeTimeoutMs: 2_000,
  endedRetentionMs: 10_000,
  maxEndedPerOwner: 1,
  maxSessionsPerOwner: 3,
  maxPendingSpawnsPerOwner: 2,
}

export class World {
  readonly given: Given[] = []
  readonly spawns: Spawn[] = []
  readonly sends: TerminalSend[] = []
  readonly violations: string[] = []
  /** Failures that close attempts and clean-ups ended with, each a different object. */
  readonly failures: Error[] = []
  readonly released = new Set<number>()
  isDisposed = false
  private readonly refused = new Set<ScopedOwner>()
  private hasTimePassed = false
  private readonly settledCloses = new WeakSet<Deferred<unknown>>()
  private readonly closedSessions = new WeakSet<ScriptedSession>()
  private readonly exited = new WeakSet<ScriptedSession>()

  private constructor(
    readonly house: House,
    readonly owners: readonly ScopedOwner[],
  ) {}

  static async create(): Promise<World> {
    const house = await buildHouse(CONFIG)
    return new World(house, [await house.createOwner('a'), await house.createOwner('b')])
  }

  get terminals() {
    return this.house.terminals
  }

  // -------------------------------------------------------------------------------------------------- callers of the service

  spawn(ownerIndex: number): void {
    const owner = this.owner(ownerIndex)
    const opensBefore = this.house.backend.opens.length
    const caller = new AbortController()
    const promise = this.terminals.spawn(owner, { type: 'scripted', signal: caller.signal })
    const open = this.house.backend.opens[opensBefore]
    const spawn: Spawn = {
      owner: ownerIndex % this.owners.length,
      caller,
      reason: { spawn: this.spawns.length },
      given: this.watch('spawn', promise, (error) => this.checkReason(spawn, error)),
      open,
      verdict: 'pending',
      cleanupWorks: false,
      published: undefined,
      isReasonDue: false,
    }
    promise.then(
      ({ sessionId }) => {
        spawn.published = sessionId
      },
      () => {},
    )
    if (open) this.watchBackend(open.session)
    if (open && this.refused.has(owner)) this.violations.push('a terminal was started for an owner that had ended')
    this.spawns.push(spawn)
  }

  abort(index: number): void {
    const spawn = pick(this.spawns, index)
    if (!spawn || spawn.caller.signal.aborted) return
    spawn.isReasonDue = !this.hasTimePassed
    spawn.caller.abort(spawn.reason)
  }

  advance(byMs: number): void {
    this.hasTimePassed = true
    this.house.clock.advance(byMs)
  }

  /** Let everything happen that has been caused so far. */
  async settle(): Promise<void> {
    await settle()
    this.hasTimePassed = false
  }

  send(index: number, ownerIndex: number): void {
    this.withPublished(index, (spawn, id) => {
      try {
        const send = this.terminals.send(this.owner(ownerIndex), id, { text: 'x', submit: true, toolCallId: 'call' })
        if (spawn.owner !== ownerIndex % this.owners.length) this.violations.push('a foreign owner could send')
        this.sends.push(send)
        this.watch('outcome', send.outcome, () => this.violations.push('an outcome rejected'))
      } catch (error) {
        this.requireCode(error)
      }
    })
  }

  cancel(index: number): void {
    pick(this.sends, index)?.cancel('cancelled')
  }

  signal(index: number): void {
    this.withPublished(index, (spawn, id) =>
      this.watch('signal', this.terminals.signal(this.owner(spawn.owner), id, 'SIGINT')),
    )
  }

  close(index: number, byObserver: boolean): void {
    this.withPublished(index, (spawn, id) => {
      const { observers } = this.terminals
      this.watch('close', byObserver ? observers.close(id) : this.terminals.close(this.owner(spawn.owner), id))
    })
  }

  claim(index: number, byClient: boolean): void {
    this.withPublished(index, (_spawn, id) => {
      try {
        this.terminals.observers.claim(id, byClient ? { kind: 'client', clientId: 'ui' } : { kind: 'owner' })
      } catch (error) {
        this.requireCode(error)
      }
    })
  }

  release(ownerIndex: number, byScope: boolean): void {
    const owner = this.owner(ownerIndex)
    this.released.add(ownerIndex % this.owners.length)
    // The scope ends a few turns later than the call that ends it.
    if (!byScope) this.refused.add(owner)
    this.watch('release', byScope ? owner.dispose() : this.terminals.releaseOwner(owner))
  }

  dispose(): void {
    this.isDisposed = true
    this.watch('disposal', Promise.resolve(this.house.serviceFiber.dispose()))
  }

  // ------------------------------------------------------------------------------------------------------- the backend's side

  answerOpen(index: number, verdict: Exclude<Spawn['verdict'], 'pending'>, cleanupWorks: boolean): void {
    const spawn = pick(
      this.spawns.filter((each) => each.verdict === 'pending' && each.open),
      index,
    )
    if (!spawn?.open) return
    spawn.verdict = verdict
    spawn.cleanupWorks = cleanupWorks
    if (verdict === 'succeeded') spawn.open.succeed()
    else if (verdict === 'failed') spawn.open.fail(new Error('start failed'))
    else
      spawn.open.fail(
        new TerminalBackendCleanupError(new Error('start failed'), this.fail('left behind'), () => this.cleanUp(spawn)),
      )
  }

  settleSend(index: number, works: boolean): void {
    const sends = this.sessions().flatMap((session) => session.sends)
    const send = pick(sends, index)
    if (works) send?.settle()
    else send?.settlement.reject(new Error('send broke'))
  }

  answerClose(index: number, works: boolean): void {
    const calls = this.sessions().flatMap((session) => session.closes.map((close) => ({ session, close })))
    const call = pick(
      calls.filter(({ close }) => !this.settledCloses.has(close)),
      index,
    )
    if (!call) return
    this.settledCloses.add(call.close)
    if (works) {
      call.close.resolve({ killed: true })
      // The service knows of it only when the promises of this turn have run.
      setImmediate(() => this.closedSessions.add(call.session))
    } else {
      call.close.reject(this.fail('close failed'))
    }
  }

  exit(index: number): void {
    const session = pick(this.sessions(), index)
    if (!session) return
    this.exited.add(session)
    session.exit(0)
  }

  // ------------------------------------------------------------------------------------------------------------------ checks

  /** What must hold at every moment. */
  check(): void {
    for (const [ownerIndex, owner] of this.owners.entries()) {
      const other = this.owners[1 - ownerIndex]
      for (const { sessionId } of this.terminals.list(owner)) {
        if (!other) continue
        try {
          this.terminals.get(other, sessionId)
          this.violations.push('two owners see one terminal')
        } catch (error) {
          this.requireCode(error, 'UNKNOWN_SESSION')
        }
      }
      if (this.released.has(ownerIndex) || this.isDisposed) continue
      const isBusy = this.spawns.some((spawn) => spawn.owner === ownerIndex && this.holdsSomething(spawn))
      if (isBusy && !this.terminals.hasOwnerActivity(owner))
        this.violations.push('there is a gap in the owner activity')
    }
  }

  /** Everything has been asked to end: let time pass until nothing changes any more. */
  async runOut(): Promise<void> {
    await settle()
    for (let round = 0; round < 12; round++) {
      this.house.clock.advance(3_000)
      await settle()
    }
  }

  /** What must hold after the service is gone. */
  checkEnd(): void {
    const pending = this.given.filter(({ outcome }) => outcome.state === 'pending')
    for (const { what } of pending) this.violations.push(`a ${what} never settled`)
    if (this.terminals.activeOwners().length > 0) this.violations.push('an owner is left')
    if (this.terminals.observers.list().length > 0) this.violations.push('a terminal is left')
    if (this.house.clock.pending > 0) this.violations.push('a timer is left')
    for (const owner of this.owners) {
      if (owner.ctx.fiber.getEffects().length > 0) this.violations.push('an effect is left on the scope of an owner')
    }
    for (const session of this.sessions()) {
      if (session.closes.length === 0) this.violations.push('a started terminal was never closed')
    }
    const reported = this.reportedErrors()
    for (const failure of this.failures) {
      if (!reported.has(failure)) this.violations.push(`a failure was reported to nobody: ${failure.message}`)
    }
  }

  private sessions(): readonly ScriptedSession[] {
    return this.spawns.flatMap(({ verdict, open }) => (verdict === 'succeeded' && open ? [open.session] : []))
  }

  private holdsSomething({ open, verdict, given }: Spawn): boolean {
    if (!open) return false
    if (verdict === 'pending') return true
    if (verdict === 'left behind') return true
    return verdict === 'succeeded' && !this.closedSessions.has(open.session) && given.outcome.state !== undefined
  }

  private async cleanUp(spawn: Spawn): Promise<void> {
    if (!spawn.cleanupWorks) throw this.fail('clean-up failed')
  }

  private fail(what: string): Error {
    const error = new Error(`${what} ${this.failures.length}`)
    this.failures.push(error)
    return error
  }

  /** Let the backend's session note every call that the service must not make. */
  private watchBackend(session: ScriptedSession): void {
    const { clock } = this.house
    const send = session.send.bind(session)
    const unsettled = new Set<ScriptedSend>()
    const closedAt: number[] = []
    const requireUsable = (what: string) => {
      if (closedAt.length > 0) this.violations.push(`${what} after close`)
      if (this.exited.has(session)) this.violations.push(`${what} after the exit`)
    }
    session.send = (request) => {
      requireUsable('send')
      if (unsettled.size > 0) this.violations.push('two sends at a time')
      send(request)
      const started = session.lastSend
      unsettled.add(started)
      const settleIt = () => unsettled.delete(started)
      started.outcome.then(settleIt, settleIt)
      return started
    }
    session.signal = async () => {
      requireUsable('signal')
      return { delivered: true, targetPgid: 1 }
    }
    const close = session.close.bind(session)
    session.close = () => {
      for (const started of unsettled) {
        if (started.cancels.length === 0) this.violations.push('close before the send was cancelled')
      }
      const previous = session.closes.at(-1)
      const startedAt = closedAt.at(-1) ?? Number.NEGATIVE_INFINITY
      const isOverdue = clock.now() - startedAt >= CONFIG.closeTimeoutMs
      if (previous && !this.settledCloses.has(previous) && !isOverdue) this.violations.push('two closes at a time')
      if (this.closedSessions.has(session)) this.violations.push('close after a close that worked')
      closedAt.push(clock.now())
      return close()
    }
  }

  private checkReason(spawn: Spawn, error: unknown): void {
    if (spawn.isReasonDue && error !== spawn.reason && spawn.open) {
      this.violations.push('the reason of the caller was replaced')
    }
  }

  private requireCode(error: unknown, code?: string): void {
    if (!(error instanceof Error) || !('code' in error) || (code && error.code !== code)) {
      this.violations.push(`an error has not the right code: ${String(error)}`)
    }
  }

  /** Every error that reached a caller or the log, with what it contains and what caused it. */
  private reportedErrors(): ReadonlySet<unknown> {
    const seen = new Set<unknown>()
    const visit = (error: unknown): void => {
      if (seen.has(error) || !(error instanceof Error)) return
      seen.add(error)
      visit(error.cause)
      if ('errors' in error && Array.isArray(error.errors)) error.errors.forEach(visit)
      if ('cleanupError' in error) visit(error.cleanupError)
    }
    for (const { outcome } of this.given) if (outcome.state === 'rejected') visit(outcome.error)
    this.house.logged.forEach(visit)
    return seen
  }

  private watch(what: string, promise: Promise<unknown>, onRejected?: (error: unknown) => void): Given {
    const given: Given = { what, outcome: { state: 'pending' } }
    this.given.push(given)
    promise.then(
      () => {
        given.outcome = { state: 'resolved' }
      },
      (error: unknown) => {
        given.outcome = { state: 'rejected', error }
        onRejected?.(error)
      },
    )
    return given
  }

  private withPublished(index: number, use: (spawn: Spawn, id: TerminalSessionId) => void): void {
    const spawn = pick(
      this.spawns.filter(({ published }) => published !== undefined),
      index,
    )
    if (spawn?.published) use(spawn, spawn.published)
  }

  private owner(index: number): ScopedOwner {
    const owner = this.owners[index % this.owners.length]
    if (!owner) throw new Error('there are no owners')
    return owner
  }
}

function pick<Item>(items: readonly Item[], index: number): Item | undefined {
  return items.length === 0 ? undefined : items[index % items.length]
}
