/** One terminal as a channel: its state, and its output on the way to the subscribers. */
import type { TerminalSessionId } from '@agent-terminals/terminal'
import {
  boundContent,
  boundParts,
  contentLength,
  isSameClaim,
  reduceTerminal,
  type SessionClaim,
  type TerminalAction,
  type TerminalInfo,
  type TerminalState,
} from '../protocol/index.js'
import type { ActionStream, EnvelopeOptions } from './action-stream.js'
import { Channel } from './channel.js'
import type { Clock } from './clock.js'
import { addOutput, type Batch, type BatchStep, EMPTY_BATCH, flushBatch, hurryBatch } from './core/index.js'

export interface TerminalChannelOptions {
  readonly uri: string
  readonly sessionId: TerminalSessionId
  readonly initial: TerminalState
  /** The claim of the session that owns the terminal, outside any tool call. */
  readonly sessionClaim: SessionClaim
  /** Whether a client created it. */
  readonly isClientMade: boolean
  readonly defaultTitle: string
  readonly stream: ActionStream
  readonly clock: Clock
  readonly batchMs: number
  readonly batchUnits: number
  readonly scrollbackUnits: number
}

export class TerminalChannel extends Channel<TerminalState, TerminalAction> {
  readonly sessionId: TerminalSessionId
  /** When the present claim was made, epoch milliseconds. */
  claimedAt: number
  /** Set while the terminal is being disposed of: what it still says is not news any more. */
  disposal: Promise<void> | undefined
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  private batch: Batch = EMPTY_BATCH
  private latencyMs: number
  private timer: { readonly dueAt: number; readonly cancel: () => void } | undefined
  private contentUnits: number

  constructor(readonly options: TerminalChannelOptions) {
    super(options.uri, options.initial, reduceTerminal, options.stream)
    this.sessionId = options.sessionId
    this.claimedAt = options.clock.now()
    this.latencyMs = options.batchMs
    this.contentUnits = contentLength(options.initial.content)
  }

  get info(): TerminalInfo {
    const { title, claim, lifecycle } = this.state
    return { resource: this.uri, title, claim, lifecycle }
  }

  get hasExited(): boolean {
    return this.state.lifecycle.status === 'exited'
  }

  /** Bytes from the terminal. An incomplete character waits for the rest of it. */
  handleOutput(bytes: Uint8Array): void {
    this.addText(this.decoder.decode(bytes, { stream: true }))
  }

  /** Nothing more can come: what is left of an incomplete character becomes a replacement character. */
  endOutput(): void {
    this.addText(this.decoder.decode())
    this.flush()
  }

  /** Nothing overtakes output that came before it. */
  override publish(action: TerminalAction, options: EnvelopeOptions = {}): void {
    if (action.type === 'terminal/cleared') this.dropHeld()
    else if (action.type !== 'terminal/data') this.flush()
    // A claim that is only stated again is as old as before.
    if (action.type === 'terminal/claimed' && !isSameClaim(action.claim, this.state.claim)) {
      this.claimedAt = this.options.clock.now()
    }
    super.publish(action, options)
    if (action.type === 'terminal/cleared') this.contentUnits = 0
    if (action.type === 'terminal/data') this.contentUnits += action.data.length
    this.boundState()
  }

  /** Send what is held back. A snapshot taken now has all output. */
  flush(): void {
    this.take(flushBatch(this.batch, this.options.clock.now()))
  }

  /** Stop for good. */
  end(): void {
    this.dropHeld()
    this.dropSubscribers()
  }

  protected override handleSubscribersChanged(): void {
    const requested = [...this.followers].map(({ maxLatencyMs }) => maxLatencyMs ?? this.options.batchMs)
    this.latencyMs = requested.length === 0 ? this.options.batchMs : Math.min(...requested)
    this.batch = hurryBatch(this.batch, this.latencyMs)
    this.arm()
  }

  private addText(text: string): void {
    const { clock, batchUnits } = this.options
    this.take(addOutput(this.batch, text, clock.now(), { latencyMs: this.latencyMs, maxUnits: batchUnits }))
  }

  private take({ batch, send }: BatchStep): void {
    this.batch = batch
    this.arm()
    if (send !== undefined) this.publish({ type: 'terminal/data', data: send })
  }

  private arm(): void {
    const { batch, timer } = this
    if (batch.kind === 'collecting' && timer?.dueAt === batch.dueAt) return
    timer?.cancel()
    this.timer = undefined
    if (batch.kind === 'empty') return
    const { clock } = this.options
    const delayMs = Math.max(0, batch.dueAt - clock.now())
    this.timer = { dueAt: batch.dueAt, cancel: clock.after(delayMs, () => this.handleDue()) }
  }

  private handleDue(): void {
    this.timer = undefined
    this.flush()
  }

  private dropHeld(): void {
    this.batch = EMPTY_BATCH
    this.arm()
  }

  /** Both sides may trim on their own: subscribers are not told. Sheet §13. */
  private boundState(): void {
    const { content } = this.state
    // Counted along: adding up the parts at each of them is what makes many of them slow.
    const isLong = this.contentUnits > this.options.scrollbackUnits
    const bounded = isLong ? boundContent(content, this.options.scrollbackUnits) : boundParts(content)
    if (bounded === content) return
    this.replaceState({ ...this.state, content: bounded })
    this.contentUnits = contentLength(bounded)
  }
}
