import type { SendOutcome, SendProgress, SendRequest, SendResult, TerminalSend } from '@agent-terminals/terminal'
import {
  currentState,
  type Evidence,
  type InterruptSignal,
  type ReadinessPolicy,
  type ReadyVerdict,
  type SendEffect,
  type SendEvent,
  type SendState,
  type Settlement,
  type StartFact,
  step,
  type Target,
  type Verdict,
  type ViewportText,
} from '../core/index.js'
import { toTerminalError } from '../errors.js'
import { deliver } from './interrupt.js'
import { type SessionParts, watchSources } from './parts.js'
import { type Plan, planSend } from './plan.js'
import { renderWaitLimit, resolveSendPolicy, resolveYieldPolicy } from './ready-policy.js'
import { toProgress, toResult, toStatus } from './result.js'
import { SendView } from './send-view.js'
import { startModes } from './stream.js'
import { Watch } from './watch.js'
import { writeChunks } from './write-chunks.js'

type Ready = Extract<Verdict, { kind: 'ready' }>

const NOTHING: ViewportText = { text: '', omittedLines: 0, omittedBytes: 0 }

/**
 * Performs one send: what `step` decides, on the parts of its session. Everything it starts (watch, timer, listeners) ends when
 * it settles; what arrives later meets the settled state and is dropped.
 */
export class ActiveSend implements TerminalSend {
  readonly outcome: Promise<SendOutcome>
  private state: SendState = { kind: 'preparing' }
  private readonly policy: ReadinessPolicy
  private watch: Watch | undefined
  private view: SendView | undefined
  private lastState: SendProgress['state'] | undefined
  /** The line that `waitFor` has found. */
  private matched: string | undefined
  private cancelGrace: (() => void) | undefined
  private releaseSignal: (() => void) | undefined
  private report: (outcome: SendOutcome) => void = () => {}

  constructor(
    private readonly parts: SessionParts,
    private readonly request: SendRequest,
  ) {
    this.policy = resolveSendPolicy(parts.config, parts.foreground, request.timeoutMs)
    this.outcome = new Promise((resolve) => {
      this.report = resolve
    })
  }

  /** Separate from construction, so that the session holds the send before anything can happen to it. */
  start(): void {
    const { signal } = this.request
    if (signal?.aborted) {
      this.cancel(signal.reason)
      return
    }
    if (signal) {
      const handleAbort = () => this.cancel(signal.reason)
      signal.addEventListener('abort', handleAbort)
      this.releaseSignal = () => signal.removeEventListener('abort', handleAbort)
    }
    planSend(this.parts, this.request).then(
      (plan) => {
        if (this.state.kind === 'preparing') this.begin(plan)
      },
      (error: unknown) => this.dispatch({ type: 'failed', error: toTerminalError(error, 'SPAWN_FAILED') }),
    )
  }

  cancel(reason: unknown): void {
    this.dispatch({ type: 'cancel', reason })
  }

  release(note: string): void {
    const { state } = this.progress()
    this.dispatch({ type: 'ready', verdict: { reason: 'timeout', state, notes: [note] } })
  }

  progress(): SendProgress {
    const evidence = this.watch?.evidence
    if (evidence) return toProgress(this.parts, evidence, this.policy)
    return { state: 'busy', quietMs: 0, lastLine: this.parts.output.currentLine() }
  }

  get hasBegun(): boolean {
    return this.view !== undefined
  }

  private begin(plan: Plan): void {
    const { parts } = this
    this.view = new SendView(
      parts,
      this.request,
      plan,
      (fact) => this.watch?.add(fact),
      (line) => this.handleMatch(line),
    )
    this.watchFrom(plan.start, this.policy, (verdict) => {
      // What has come last may be what is waited for, and then that is the better answer.
      if (verdict.reason === 'session_exit' || !this.view?.finishMatch()) this.dispatch({ type: 'ready', verdict })
    })
    this.dispatch({ type: 'planned' })
    if (parts.handle.exit) this.watch?.add({ type: 'exit', at: parts.clock.now() })
    else this.write(plan)
  }

  private handleMatch(line: string): void {
    const evidence = this.watch?.evidence
    if (!evidence || this.matched !== undefined) return
    this.matched = line
    const state = currentState(evidence, this.policy, this.parts.clock.now())
    this.dispatch({ type: 'ready', verdict: { reason: 'output_match', state, notes: [] } })
  }

  private watchFrom(start: StartFact, policy: ReadinessPolicy, onReady: (verdict: Ready, evidence: Evidence) => void) {
    this.watch?.stop()
    this.watch = new Watch({
      sources: watchSources(this.parts),
      policy,
      start,
      isTraced: this.parts.debug !== undefined,
      onReady,
      onLooked: ({ look, lookAt }) => {
        this.reportProgress()
        if (!look || lookAt === undefined) return
        const { pgid, isShell, isShellCopy = false } = look
        this.dispatch({ type: 'in-front', at: lookAt, pgid, isShell, isShellCopy })
      },
    })
    this.watch.begin()
  }

  private reportProgress(): void {
    const { onState } = this.request
    if (!onState || this.state.kind === 'settled') return
    const progress = this.progress()
    if (progress.state === this.lastState) return
    this.lastState = progress.state
    onState(progress)
  }

  private dispatch(event: SendEvent): void {
    const { state, effects } = step(this.state, event)
    this.state = state
    for (const effect of effects) this.perform(effect)
  }

  private perform(effect: SendEffect): void {
    switch (effect.type) {
      case 'drop-input':
        this.parts.feeder.drop()
        this.parts.input.drop()
        return
      case 'deliver':
        this.interrupt(effect.signal, effect.before)
        return
      case 'arm-grace':
        this.armGrace()
        return
      case 'settle':
        this.settle(effect.outcome)
    }
  }

  private write(plan: Plan): void {
    const { parts } = this
    if (plan.chunks.length === 0) {
      this.dispatch({ type: 'written' })
      return
    }
    if (plan.isAtPrompt && plan.start.input !== 'partial') parts.stream.handleTyped(plan.firstLine)
    parts.feeder.add(plan.later)
    const { before, alternateScreen, bracketedPaste, keypad } = plan.start
    writeChunks(parts, plan.chunks, {
      before,
      readsKeys: !plan.isAtPrompt && (alternateScreen || bracketedPaste || keypad),
      isWanted: () => this.state.kind === 'writing',
      onResume: () => this.startOver(plan.start),
    }).then(
      () => {
        this.watch?.add({ type: 'written', at: parts.clock.now() })
        this.dispatch({ type: 'written' })
      },
      (error: unknown) => {
        // An ended terminal reports itself, with its code, as the exit of this send.
        const failure = toTerminalError(error, 'SPAWN_FAILED')
        if (failure.code !== 'SESSION_ENDED') this.dispatch({ type: 'failed', error: failure })
      },
    )
  }

  /** What has been answered so far says nothing about the rest of the input. */
  private async startOver(start: StartFact): Promise<void> {
    const { foreground, stream, clock } = this.parts
    const before = await foreground.look().catch(() => undefined)
    this.watch?.add({
      ...start,
      ...startModes(stream),
      at: clock.now(),
      phase: stream.phase,
      ...(before ? { before } : {}),
    })
  }

  /** Readiness starts over: what answers a signal is what comes after it. */
  private async watchForYield(): Promise<void> {
    const { parts } = this
    const before = await parts.foreground.look().catch(() => undefined)
    const isProvable = before?.waitsKnown === true
    this.watchFrom(
      {
        type: 'start',
        at: parts.clock.now(),
        input: 'line',
        phase: parts.stream.phase,
        ...(before ? { before } : {}),
        ...startModes(parts.stream),
      },
      resolveYieldPolicy(parts.config, parts.foreground, isProvable),
      (verdict, evidence) => {
        if (verdict.reason === 'session_exit') this.dispatch({ type: 'ready', verdict })
        else if (verdict.reason === 'stdin_read' || evidence.hasPrinted) this.dispatch({ type: 'yielded' })
      },
    )
    this.watch?.add({ type: 'written', at: parts.clock.now() })
  }

  private interrupt(signal: InterruptSignal, before: Target | undefined): void {
    const run = async () => {
      if (before === undefined) await this.watchForYield()
      return deliver(this.parts, signal, before)
    }
    run().then(
      (target) => this.dispatch({ type: 'delivered', target }),
      () => this.dispatch({ type: 'undelivered' }),
    )
  }

  private armGrace(): void {
    const { clock, config, handle } = this.parts
    this.cancelGrace?.()
    this.cancelGrace = clock.schedule(config.cancelGraceMs, () => {
      const end = (pgid?: number) => this.dispatch({ type: 'grace-over', ...(pgid === undefined ? {} : { pgid }) })
      handle.foregroundGroup().then(end, () => end())
    })
  }

  private settle(settlement: Settlement): void {
    const { parts, watch } = this
    watch?.stop()
    this.cancelGrace?.()
    this.releaseSignal?.()
    const viewport = this.view?.stop() ?? NOTHING
    if (settlement.kind === 'settled' && settlement.verdict.reason === 'stdin_read')
      this.noteWaiting(settlement.verdict)
    if (watch?.trail && parts.debug) {
      const verdict = settlement.kind === 'settled' ? { kind: 'ready' as const, ...settlement.verdict } : undefined
      const now = parts.clock.now()
      parts.debug(watch.trail.render(verdict, watch.evidence, now), watch.trail.timeline(verdict, now))
    }
    const outcome = this.toOutcome(settlement, viewport)
    if (outcome.kind === 'settled' && this.hasScreen(outcome.result.state)) this.reportWithScreen(outcome.result)
    else this.report(outcome)
  }

  private hasScreen(state: SendProgress['state']): boolean {
    const { screen } = this.parts
    return screen.isKept && (state === 'fullscreen' || screen.isDrawn)
  }

  /** A full-screen program says what it has to say on the screen. Without a picture the result is still a result. */
  private reportWithScreen(result: SendResult): void {
    this.parts.screen.snapshot({}).then(
      (screen) => this.report({ kind: 'settled', result: { ...result, screen } }),
      () => this.report({ kind: 'settled', result }),
    )
  }

  /** What a proven wait teaches for later sends. */
  private noteWaiting({ state }: ReadyVerdict): void {
    const { stream, foreground } = this.parts
    const isMarked = stream.phase === 'prompt' || stream.phase === 'continuation'
    if (state === 'prompt' && !isMarked) stream.handleMarksMissing()
    if (state !== 'prompt') foreground.rememberLine()
  }

  private toOutcome(settlement: Settlement, viewport: ViewportText): SendOutcome {
    switch (settlement.kind) {
      case 'failed':
        return { kind: 'failed', error: toTerminalError(settlement.error, 'SPAWN_FAILED') }
      case 'cancelled': {
        const { reason, delivered, pgid } = settlement
        return {
          kind: 'cancelled',
          reason,
          interruption: { delivered, ...(pgid === undefined ? {} : { targetPgid: pgid }) },
          viewport,
          sessionStatus: toStatus(this.parts.handle.exit),
        }
      }
      case 'settled': {
        const evidence = this.watch?.evidence
        if (!evidence) return { kind: 'failed', error: new Error('The send settled before it began.') }
        return {
          kind: 'settled',
          result: {
            ...toResult(this.parts, settlement.verdict, evidence, viewport, this.notesFor(settlement.verdict)),
            ...(this.matched === undefined ? {} : { matched: this.matched }),
          },
        }
      }
    }
  }

  private notesFor({ reason }: Pick<Ready, 'reason'>): readonly string[] {
    const limit = reason === 'timeout' ? renderWaitLimit(this.parts.config, this.request.timeoutMs) : undefined
    return [...(this.view?.notes ?? []), ...(limit === undefined ? [] : [limit])]
  }
}
