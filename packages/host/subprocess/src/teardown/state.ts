import type { Survivor } from '../contract.js'

/**
 * Where a termination stands. Every phase but the last two holds when it began and how often it has looked since, so
 * that looks can be close together at first.
 */
export type Phase =
  /** Members have been told SIGHUP and SIGCONT. */
  | { readonly kind: 'hanging-up'; readonly sinceMs: number; readonly looks: number }
  /** Members have been told SIGTERM as well; the grace runs. */
  | { readonly kind: 'terminating'; readonly sinceMs: number; readonly looks: number }
  /** Members are stopped, round after round until no new one appears, so that none can fork between a look and its kill. */
  | { readonly kind: 'freezing'; readonly sinceMs: number; readonly looks: number }
  | { readonly kind: 'killing'; readonly sinceMs: number; readonly looks: number }
  /** No member but the top-level process is left. */
  | {
      readonly kind: 'stopping-shell'
      readonly sinceMs: number
      readonly looks: number
      readonly rung: 'hang-up' | 'terminate' | 'kill'
    }
  | { readonly kind: 'verified' }
  | { readonly kind: 'failed'; readonly survivors: readonly Survivor[] }

export interface TeardownState {
  readonly phase: Phase
  readonly graceMs: number
  /** Members told in this phase, as keys of identities. */
  readonly told: ReadonlySet<string>
  /** Members ever seen, as keys of identities. */
  readonly seen: ReadonlySet<string>
  /** Looks in which the top-level process had started something new: a loop that only ends with it. */
  readonly regrowths: number
  /** Times that members turned up after the top-level process had gone. */
  readonly returns: number
  /** Looks at the whole machine in a row that may have missed something. */
  readonly inconclusiveLooks: number
  readonly forced: boolean
}

export function startTeardown(graceMs: number, nowMs: number): TeardownState {
  return {
    phase: { kind: 'hanging-up', sinceMs: nowMs, looks: 0 },
    graceMs,
    told: new Set(),
    seen: new Set(),
    regrowths: 0,
    returns: 0,
    inconclusiveLooks: 0,
    forced: false,
  }
}
