import {
  type Attributes,
  type Evidence,
  type Fact,
  fold,
  judge,
  type LineShape,
  type Look,
  type ReadinessPolicy,
  type StartFact,
  startEvidence,
  type Verdict,
} from '../core/index.js'
import type { Clock } from './clock.js'
import { Trail } from './trail.js'

type Ready = Extract<Verdict, { kind: 'ready' }>

/** What a watch asks the world. */
export interface WatchSources {
  readonly clock: Clock
  look(): Promise<Look | undefined>
  attributes(): Promise<Attributes | undefined>
  line(): LineShape
}

export interface WatchOptions {
  readonly sources: WatchSources
  readonly policy: ReadinessPolicy
  readonly start: StartFact
  /** Whether the trail is kept. */
  readonly isTraced: boolean
  readonly onReady: (verdict: Ready, evidence: Evidence) => void
  /** After every fact that was looked at, for whoever shows progress. */
  readonly onLooked?: (evidence: Evidence) => void
}

/** `stty` answers in a few milliseconds; a terminal whose attributes cannot be had must not hold up the verdict. */
const ATTRIBUTES_PATIENCE_MS = 500
/** Timers are this exact. */
const TIMER_GRAIN_MS = 1

/**
 * Gathers facts until they allow a verdict. All its timers and questions are its own: `stop` drops them together, and an
 * answer that comes later is ignored.
 */
export class Watch {
  readonly trail: Trail | undefined
  private current: Evidence
  private state: 'watching' | 'stopped' = 'watching'
  private timer: { readonly at: number; readonly cancel: () => void } | undefined
  private lookDueAt = 0
  private isLooking = false
  private isAsking = false

  constructor(private readonly options: WatchOptions) {
    this.current = startEvidence(options.start)
    if (options.isTraced) {
      this.trail = new Trail(options.policy)
      this.trail.add(options.start)
    }
  }

  get evidence(): Evidence {
    return this.current
  }

  /** Take the first look. Separate from construction, so that the owner holds the watch before it can be ready. */
  begin(): void {
    this.look()
  }

  add(fact: Fact): void {
    if (this.state === 'stopped') return
    this.trail?.add(fact)
    this.current = fold(this.current, fact)
    this.consider()
  }

  stop(): void {
    this.state = 'stopped'
    this.cancelTimer()
  }

  private consider(): void {
    const { sources, policy } = this.options
    const now = sources.clock.now()
    const verdict = judge(this.current, policy, now)
    switch (verdict.kind) {
      case 'ready':
        this.stop()
        this.options.onReady(verdict, this.current)
        return
      case 'ask-attributes':
        this.askAttributes()
        return
      case 'look':
        // Steady output keeps moving the next look away: one per interval is due all the same.
        this.lookAt(Math.min(verdict.at, (this.current.lookAt ?? now) + 4 * policy.pollIntervalMs), now)
    }
  }

  /** Output moves the next look away with every chunk: a timer that comes too early is cheaper than a new one each time. */
  private lookAt(at: number, now: number): void {
    this.lookDueAt = at
    if (this.timer !== undefined && this.timer.at <= at) return
    this.cancelTimer()
    const cancel = this.options.sources.clock.schedule(Math.max(0, at - now), () => this.handleTimer())
    this.timer = { at, cancel }
  }

  private handleTimer(): void {
    this.timer = undefined
    const now = this.options.sources.clock.now()
    if (this.lookDueAt - now >= TIMER_GRAIN_MS) this.lookAt(this.lookDueAt, now)
    else this.look()
  }

  private cancelTimer(): void {
    this.timer?.cancel()
    this.timer = undefined
  }

  private look(): void {
    if (this.state === 'stopped' || this.isLooking) return
    if (this.isLookedLately()) {
      this.consider()
      return
    }
    this.isLooking = true
    const { sources } = this.options
    const answer = (look: Look | undefined) => {
      this.isLooking = false
      if (this.state === 'stopped') return
      this.add({ type: 'look', at: sources.clock.now(), ...(look ? { look } : {}), line: sources.line() })
      this.options.onLooked?.(this.current)
    }
    // A look that fails is a miss: it neither proves nor disproves anything.
    sources.look().then(answer, () => answer(undefined))
  }

  private isLookedLately(): boolean {
    const { lookAt } = this.current
    return lookAt !== undefined && this.options.sources.clock.now() - lookAt < this.options.policy.leastPauseMs
  }

  private askAttributes(): void {
    if (this.isAsking) return
    this.isAsking = true
    const { sources } = this.options
    const askedFor = this.current.waitKey
    let isAnswered = false
    const answer = (attributes: Attributes | undefined) => {
      if (isAnswered) return
      isAnswered = true
      cancelPatience()
      this.isAsking = false
      if (this.state === 'stopped') return
      // Settings of an earlier wait say nothing about this one.
      if (this.current.waitKey === askedFor) {
        this.add({ type: 'attributes', at: sources.clock.now(), ...(attributes ? { attributes } : {}) })
      } else {
        this.consider()
      }
    }
    const cancelPatience = sources.clock.schedule(ATTRIBUTES_PATIENCE_MS, () => answer(undefined))
    sources.attributes().then(answer, () => answer(undefined))
  }
}
