import { type Evidence, freshWaits } from './evidence.js'
import type { Attributes } from './facts.js'
import type { ReadinessPolicy } from './policy.js'

/** What the terminal is doing, in words a model can act on. Architecture §4.2. */
export type ReadyState =
  | 'prompt'
  | 'continuation'
  | 'line'
  | 'hidden'
  | 'key'
  | 'fullscreen'
  | 'busy'
  | 'quiet'
  | 'stopped'
  | 'ended'

/**
 * How a proven wait wants its input. `unknown` while that hangs on attributes that have not been asked for.
 *
 * A line editor reads single keys with echo off, as a pager or a menu does. What tells it apart: it switches on bracketed paste; or
 * it waits in `select` for the terminal alone, as GNU readline does where pagers and menus `read`; or a prompt of the usual form
 * stands in front of the cursor.
 */
export function stateOfWait(evidence: Evidence): ReadyState | 'unknown' {
  if (evidence.alternateScreen) return 'fullscreen'
  if (evidence.bracketedPaste) return 'line'
  if (!evidence.attributes) return 'unknown'
  const { value } = evidence.attributes
  return value ? stateOfReader(value, evidence) : 'line'
}

function stateOfReader(attributes: Attributes, evidence: Evidence): ReadyState {
  if (attributes.canonical) return attributes.echo ? 'line' : 'hidden'
  if (evidence.addressing) return 'fullscreen'
  const isSelecting = evidence.look?.waits.some((wait) => wait.call === 'poll' && (wait.others ?? 0) === 0) === true
  // With application keys, one that selects rather than reads also watches a clock: it redraws a screen (`top`).
  if (evidence.keypad) return isSelecting ? 'fullscreen' : 'key'
  const isLoop = evidence.look?.waits.every((wait) => wait.call === 'epoll') === true
  const isEditing = isSelecting || evidence.line.isEditorPrompt || (isLoop && evidence.line.isPrompt)
  return !attributes.echo && isEditing ? 'line' : 'key'
}

/** What silence most likely means. A question is only named when something beside the silence speaks for one. */
export function stateAtSilence(evidence: Evidence): ReadyState | 'unknown' {
  if (evidence.phase === 'prompt' || evidence.phase === 'continuation') return evidence.phase
  // Another process may read the keys for the one that has the screen (the server of tmux).
  if (evidence.alternateScreen) return 'fullscreen'
  const isWaitPossible = freshWaits(evidence).length > 0 || !evidence.look?.waitsKnown
  if (!isWaitPossible) return 'quiet'
  if (!evidence.attributes || evidence.attributes.at < evidence.lastOutputAt) return 'unknown'
  const { value } = evidence.attributes
  if (!value) return 'quiet'
  if (value.canonical && !value.echo) return 'hidden'
  if (value.canonical) return evidence.line.isPrompt ? 'line' : 'quiet'
  if (evidence.addressing) return 'fullscreen'
  if (evidence.bracketedPaste || evidence.line.isEditorPrompt) return 'line'
  // Raw mode alone is no question: one that only carries bytes to another terminal (`script`, `ssh`) has it on as well.
  return evidence.keypad || evidence.line.isPrompt ? 'key' : 'quiet'
}

/** The state of a send that is still waited for. */
export function currentState(evidence: Evidence, policy: ReadinessPolicy, now: number): ReadyState {
  if (evidence.hasExited) return 'ended'
  if (evidence.stoppedSince !== undefined) return 'stopped'
  const { phase } = evidence
  const isShellEditor = phase === 'prompt' || phase === 'continuation'
  if (isShellEditor && (evidence.sawPrompt || evidence.input === 'none')) return phase
  if (evidence.alternateScreen) return 'fullscreen'
  const isWaiting = !isShellEditor && freshWaits(evidence).length > 0
  const state = isWaiting ? stateOfWait(evidence) : 'unknown'
  if (state !== 'unknown') return state
  const recent = Math.max(evidence.lastOutputAt, evidence.workingAt ?? 0, evidence.startedAt)
  return now - recent < policy.idleSilenceMs ? 'busy' : 'quiet'
}
