import type { Config } from '../config.js'
import type { ReadinessPolicy } from '../core/index.js'

/** What it costs to look at the terminal's processes. */
export interface LookCost {
  readonly isLookDear: boolean
}

/** A look through `ps` starts a process. */
const DEAR_LOOK_PAUSE_MS = 100

const base = (config: Config, { isLookDear }: LookCost) => ({
  leastPauseMs: isLookDear ? DEAR_LOOK_PAUSE_MS : 0,
  pollIntervalMs: config.pollIntervalMs,
  exactProbeAfterMs: config.exactProbeAfterMs,
  idleSilenceMs: config.idleSilenceMs,
  handoffGraceMs: config.handoffGraceMs,
  redrawPatienceMs: config.redrawPatienceMs,
})

/** A start is ready at the shell's proven prompt and at nothing else. */
export function resolveStartPolicy(config: Config, cost: LookCost): ReadinessPolicy {
  return { ...base(config, cost), timeoutMs: config.startTimeoutMs, acceptsSilence: false, acceptsPrograms: false }
}

export function resolveSendPolicy(config: Config, cost: LookCost, timeoutMs: number | undefined): ReadinessPolicy {
  const boundMs = Math.min(timeoutMs ?? config.timeoutMs, config.maxTimeoutMs)
  return { ...base(config, cost), timeoutMs: boundMs, acceptsSilence: true, acceptsPrograms: true }
}

/** What a send that ran into its limit must say when it asked for more time than it got. */
export function renderWaitLimit({ maxTimeoutMs }: Config, timeoutMs: number | undefined): string | undefined {
  if (timeoutMs === undefined || timeoutMs <= maxTimeoutMs) return undefined
  return `Waited at most ${maxTimeoutMs} ms, the longest this deployment allows.`
}

/**
 * A cancelled program has yielded when it waits for input again, or the shell does. Where waits cannot be proven, an answer
 * followed by quiet has to do.
 */
export function resolveYieldPolicy(config: Config, cost: LookCost, isProvable: boolean): ReadinessPolicy {
  return {
    ...base(config, cost),
    exactProbeAfterMs: 0,
    idleSilenceMs: Math.max(config.pollIntervalMs, Math.min(300, config.cancelGraceMs / 2)),
    handoffGraceMs: 0,
    timeoutMs: Number.MAX_SAFE_INTEGER,
    acceptsSilence: !isProvable,
    acceptsPrograms: true,
  }
}
