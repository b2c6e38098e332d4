import { renderDuration } from './duration.js'
import type { CommandOutcome } from './facts.js'

/** How a command came out, in a few words. */
export function renderOutcome(outcome: CommandOutcome): string {
  if (outcome.kind === 'running') return 'running'
  const code = outcome.exitCode === undefined ? 'ended' : `exit ${outcome.exitCode}`
  return outcome.durationMs === undefined ? code : `${code}, ${renderDuration(outcome.durationMs)}`
}
