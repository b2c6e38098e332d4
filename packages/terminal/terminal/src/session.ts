/** One terminal: what its owner and its observers can do with it, in whatever state it is. */
import { ActiveSend } from './active-send.js'
import {
  claimOf,
  exitOf,
  heldPhaseOf,
  isPublished,
  type Refusal,
  refuseInput,
  refuseOwnerClose,
  refuseResize,
  refuseSend,
  refuseSignal,
} from './core/index.js'
import { defer } from './deferred.js'
import { TerminalError } from './errors.js'
import { toRefusalError, withTerminalCode } from './failures.js'
import { SessionDriver, type SessionSurroundings } from './session-driver.js'
import type { SessionSpec } from './session-spec.js'
import type {
  BackendSession,
  CloseReport,
  HeldTerminal,
  OpenedSession,
  ReadRequest,
  RemainingProcess,
  ScrollbackPage,
  SendRequest,
  SessionSummary,
  SignalDelivery,
  TerminalClaim,
  TerminalSend,
  TerminalSessionId,
  TerminalSignal,
  TerminalSize,
} from './types.js'
import type { ScreenRequest, ScreenSnapshot, SearchRequest, SearchResult } from './views.js'

const unsupported = (what: string) =>
  new TerminalError('UNSUPPORTED', `Terminals of this type offer no ${what}. Read their lines instead.`)

export class Session {
  private readonly driver: SessionDriver
  private sendCount = 0

  constructor(spec: SessionSpec, around: SessionSurroundings) {
    this.driver = new SessionDriver(spec, around)
  }

  get spec(): SessionSpec {
    return this.driver.spec
  }
  get id(): TerminalSessionId {
    return this.spec.sessionId
  }
  get isOpening(): boolean {
    return this.driver.state.kind === 'opening'
  }
  get isPublished(): boolean {
    return isPublished(this.driver.state)
  }
  get isEnded(): boolean {
    return exitOf(this.driver.state) !== undefined
  }
  /** Whether a person works in it now, so that its owner's end must not take it away. */
  get isInClientHands(): boolean {
    const { state } = this.driver
    return state.kind === 'open' && !this.isEnded && claimOf(state).kind === 'client'
  }

  open(signal: AbortSignal | undefined): Promise<OpenedSession> {
    return this.driver.open(signal)
  }

  /** Reserve and start, in this very call. @throws TerminalError before anything is written. */
  send(request: SendRequest): TerminalSend {
    const session = this.require(refuseSend(this.driver.state))
    const sendId = ++this.sendCount
    const { turnId, toolCallId } = request
    this.driver.apply({ type: 'send-started', sendId, turnId, toolCallId })
    try {
      const send = new ActiveSend(session.send(request), {
        takeUnseen: () => this.driver.between.take(),
        free: () => this.settleSend(sendId),
      })
      this.driver.send = send
      return send
    } catch (error) {
      this.settleSend(sendId)
      throw withTerminalCode(error)
    }
  }

  async signal(signal: TerminalSignal): Promise<SignalDelivery> {
    const session = this.require(refuseSignal(this.driver.state))
    try {
      return await session.signal(signal)
    } catch (error) {
      throw withTerminalCode(error)
    }
  }

  /** @param clientId - who must hold the claim; `undefined` when it does not matter. */
  async input(clientId: string | undefined, data: string): Promise<void> {
    await this.require(refuseInput(this.driver.state, clientId)).input(data)
  }

  resize(size: TerminalSize): void {
    const session = this.require(refuseResize(this.driver.state))
    if (size.columns === this.driver.size.columns && size.rows === this.driver.size.rows) return
    session.resize(size)
    this.driver.size = size
    this.driver.around.publish(this.id, { type: 'resized', size })
  }

  setClaim(claim: TerminalClaim): void {
    const { state } = this.driver
    if (state.kind !== 'open') {
      throw toRefusalError({ code: 'SESSION_CLOSING', failed: state.kind === 'close-failed' })
    }
    this.driver.apply({ type: 'claimed', claim })
  }

  read(request: ReadRequest): ScrollbackPage {
    return this.require(undefined).read(request)
  }

  async screen(request: ScreenRequest): Promise<ScreenSnapshot> {
    const session = this.require(undefined)
    if (!session.screen) throw unsupported('screens')
    return session.screen(request)
  }

  async search(request: SearchRequest): Promise<SearchResult> {
    const session = this.require(undefined)
    if (!session.search) throw unsupported('search')
    return session.search(request)
  }

  /** As for a signal: whoever has the keyboard decides what the screen is like. */
  resizeForOwner(size: TerminalSize): void {
    const refusal = refuseSignal(this.driver.state)
    if (refusal) throw toRefusalError(refusal)
    this.resize(size)
  }

  async remaining(): Promise<readonly RemainingProcess[] | undefined> {
    return this.require(undefined).remaining?.()
  }

  async takesSecret(): Promise<boolean> {
    if (this.isEnded) return false
    return (await this.require(undefined).takesSecret?.()) ?? false
  }

  held(): HeldTerminal | undefined {
    const phase = heldPhaseOf(this.driver.state)
    return phase && { sessionId: this.id, name: this.spec.name, phase }
  }

  summary(): SessionSummary {
    return this.driver.summary()
  }

  /** Close for the owner: refused while a person works in it. */
  async closeForOwner(): Promise<CloseReport> {
    const refusal = refuseOwnerClose(this.driver.state)
    if (refusal) throw toRefusalError(refusal)
    return this.close()
  }

  /** Close, join the close under way, or try again after a failed one. */
  close(): Promise<CloseReport> {
    return this.driver.endWith({ type: 'close-requested' })
  }

  /** The owner or the service ends: stop a start under way, close what is open, repeat a clean-up that failed. */
  end(error: Error): Promise<CloseReport> {
    return this.driver.endWith(this.isOpening ? { type: 'lifecycle-ended', error } : { type: 'close-requested' })
  }

  /** Cancel the active send, if any, and wait for its settlement within the configured bound. */
  async stopSend(reason: unknown): Promise<void> {
    const { send, around } = this.driver
    if (!send) return
    const overdue = defer<void>()
    const release = around.clock.after(around.config.cancelWaitMs, overdue.resolve)
    this.driver.cancelSend(reason)
    await Promise.race([send.outcome, overdue.promise])
    release()
  }

  private settleSend(sendId: number): void {
    this.driver.send = undefined
    this.driver.apply({ type: 'send-settled', sendId })
  }

  /** @returns the backend's session. @throws TerminalError when the operation is refused. */
  private require(refusal: Refusal | undefined): BackendSession {
    const { session } = this.driver
    if (refusal || !session) throw toRefusalError(refusal ?? { code: 'SESSION_CLOSING', failed: false })
    return session
  }
}
