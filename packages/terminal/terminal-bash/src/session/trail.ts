import type { Evidence, Fact, ReadinessPolicy, Verdict } from '../core/index.js'

/** Everything that led to a verdict, replayable: `judge` over the same facts and policy gives the same verdict. */
export interface Timeline {
  readonly policy: ReadinessPolicy
  readonly facts: readonly Fact[]
  readonly verdict?: Extract<Verdict, { kind: 'ready' }> & { readonly at: number }
}

/** Takes what led to a verdict: as text for a person, as a value for a replay. */
export type TrailSink = (text: string, timeline: Timeline) => void

/** Facts kept per send. A flood of output facts beyond this is counted only. */
const MOST_FACTS = 4_000

/** The evidence trail of one send. Facts hold no terminal text, so it can be logged whatever was typed. */
export class Trail {
  private readonly facts: Fact[] = []
  private dropped = 0

  constructor(private readonly policy: ReadinessPolicy) {}

  add(fact: Fact): void {
    if (this.facts.length < MOST_FACTS) this.facts.push(fact)
    else this.dropped++
  }

  timeline(verdict?: Extract<Verdict, { kind: 'ready' }>, at = 0): Timeline {
    return { policy: this.policy, facts: this.facts, ...(verdict ? { verdict: { ...verdict, at } } : {}) }
  }

  /** One line per fact, times relative to the start, and the verdict last. */
  render(verdict: Extract<Verdict, { kind: 'ready' }> | undefined, evidence: Evidence, now: number): string {
    const time = (at: number) => `${(at - evidence.startedAt).toFixed(1).padStart(9)} ms`
    const lines = this.facts.map((fact) => {
      const { type, at, ...rest } = fact
      return `${time(at)}  ${type} ${JSON.stringify(rest)}`
    })
    if (this.dropped > 0) lines.push(`           … ${this.dropped} more facts`)
    lines.push(
      verdict
        ? `${time(now)}  verdict ${verdict.reason}/${verdict.state}${verdict.notes.map((note) => ` (${note})`).join('')}`
        : `${time(now)}  ended without a verdict`,
    )
    return lines.join('\n')
  }
}
