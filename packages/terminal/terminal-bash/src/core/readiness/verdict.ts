import { type Evidence, freshWaits, isGlance } from './evidence.js'
import type { Look, WaitSeen } from './facts.js'
import type { ReadinessPolicy } from './policy.js'
import {
  ASK_EARLY_MS,
  CONFIRM_MS,
  DRAWN_QUIET_MS,
  GLANCES_QUIET_MS,
  HIDDEN_QUIET_MS,
  LOOP_CONFIRM_MS,
  LOOP_PROMPT_CONFIRM_MS,
  LOOP_STILL_CONFIRM_MS,
  MARK_QUIET_LINES_MS,
  MARK_QUIET_MS,
  MISSING_MARK_MS,
  OLD_NEWS_MS,
  PARTIAL_LINE_MS,
  PROMPT_RUSH_MS,
  STOPPED_MS,
  STREAM_PAUSE_MS,
  STREAM_PAUSE_SHARE,
  UNREAD_CONFIRM_MS,
  UNREAD_DRAWN_CONFIRM_MS,
  WORK_MEMORY_MS,
} from './policy.js'
import { type ReadyState, stateAtSilence, stateOfWait } from './state.js'

/** `output_match` is never judged here: it is found in the text, which the facts do not hold. */
export type ReadyReason = 'stdin_read' | 'inferred_idle' | 'timeout' | 'session_exit' | 'output_match'

/** What the facts allow to say about a send. */
export type Verdict =
  | {
      readonly kind: 'ready'
      readonly reason: ReadyReason
      readonly state: ReadyState
      readonly notes: readonly string[]
    }
  /** Look again at that time, or after the next output, whichever comes first. */
  | { readonly kind: 'look'; readonly at: number }
  /** The answer hangs on the line discipline's settings: ask for them. */
  | { readonly kind: 'ask-attributes' }

const ready = (reason: ReadyReason, state: ReadyState, ...notes: string[]): Verdict => ({
  kind: 'ready',
  reason,
  state,
  notes,
})

/**
 * The one decision about readiness.
 * @param now - monotonic milliseconds, not before the last fact.
 */
export function judge(evidence: Evidence, policy: ReadinessPolicy, now: number): Verdict {
  if (evidence.hasExited) return ready('session_exit', 'ended')
  const deadlines = [pollAt(evidence, policy, now)]
  for (const rule of RULES) {
    const opinion = rule(evidence, policy, now)
    if (opinion === undefined) continue
    if (typeof opinion !== 'number') return opinion
    deadlines.push(Math.max(opinion, now))
  }
  return { kind: 'look', at: Math.min(...deadlines) }
}

/** A verdict, or the time at which the rule could give one if nothing changes, or nothing to say. */
type Rule = (evidence: Evidence, policy: ReadinessPolicy, now: number) => Verdict | number | undefined

/** @param at - now, or the time of the look that the verdict rests on: an older one has to be taken again. */
const after = (since: number, waitMs: number, at: number, verdict: () => Verdict): Verdict | number =>
  at >= since + waitMs ? verdict() : since + waitMs

/** The shell's own prompt: its mark has come after the input, and the shell waits for the terminal. */
const shellPrompt: Rule = (evidence, _policy, now) => {
  const { phase, look, lookAt, writtenAt } = evidence
  if ((phase !== 'prompt' && phase !== 'continuation') || writtenAt === undefined) return undefined
  const state = evidence.jobStopped ? 'stopped' : phase
  const isAnswer = evidence.sawPrompt || evidence.input === 'none'
  if (!look?.waitsKnown) {
    if (!isAnswer && evidence.input !== 'partial') return undefined
    const quietMs = evidence.input === 'lines' ? MARK_QUIET_LINES_MS : MARK_QUIET_MS
    return after(Math.max(evidence.phaseAt, evidence.lastOutputAt, writtenAt), quietMs, now, () =>
      ready('stdin_read', state),
    )
  }
  if (!look.isShell || look.waits.length === 0 || lookAt === undefined || !evidence.isLookLatest) return undefined
  // A command of this input has run, or there was no input: the prompt can be no other.
  const isCertain = evidence.input === 'none' || (evidence.input === 'line' && evidence.sawCommand)
  if (isAnswer && isCertain) return ready('stdin_read', state)
  if (isAnswer) return after(evidence.waitSince ?? lookAt, CONFIRM_MS, lookAt, () => ready('stdin_read', state))
  if (evidence.input === 'partial') return partialLine(evidence, () => ready('stdin_read', state))
  if (evidence.waitSince === undefined) return undefined
  return after(evidence.waitSince, MISSING_MARK_MS, lookAt, () =>
    ready('stdin_read', state, 'The shell waits for input but sent no prompt mark.'),
  )
}

/** Text without Enter: a reader of whole lines is not woken by it, a line editor is. */
function partialLine(evidence: Evidence, verdict: () => Verdict): Verdict | number {
  const { waitSince, lookAt = 0, writtenAt = lookAt } = evidence
  if (waitSince !== undefined) return after(waitSince, CONFIRM_MS, lookAt, verdict)
  return after(Math.max(writtenAt, evidence.lastOutputAt), PARTIAL_LINE_MS, lookAt, verdict)
}

/** A program, or a builtin of the shell, proven to wait for input that it has not waited for before. */
const programWait: Rule = (evidence, policy) => {
  const { phase, look, lookAt = 0, writtenAt, waitSince } = evidence
  if (!policy.acceptsPrograms || !look?.waitsKnown || writtenAt === undefined || phase === 'exiting' || phase === 'fed')
    return undefined
  const isShellEditor = look.isShell && (phase === 'prompt' || phase === 'continuation')
  if (isShellEditor || look.waits.length === 0 || !evidence.isLookLatest) return undefined
  const waits = freshWaits(evidence)
  const settle = (): Verdict => settleWait(evidence)
  if (waits.length === 0) {
    // One that takes single keys must be woken by them, however late it runs.
    const takesLines = !evidence.alternateScreen && !evidence.keypad
    return evidence.input === 'partial' && takesLines ? partialLine(evidence, settle) : undefined
  }
  if (waitSince === undefined) return undefined
  if (isMarkOnTheWay(evidence)) return after(waitSince, MISSING_MARK_MS, lookAt, settle)
  const lasting = waits.filter((wait) => !isGlance(wait, evidence))
  if (lasting.length === 0) return settleGlances(evidence, waits, settle)
  const dueAt = lasting.some((wait) => isExact(wait, look))
    ? exactDueAt(evidence, waitSince, writtenAt)
    : loopDueAt(evidence, waitSince)
  if (dueAt === undefined) return undefined
  const noSoonerAt = writtenAt + policy.exactProbeAfterMs
  if (isKindUnknown(evidence)) return after(Math.max(waitSince, noSoonerAt), ASK_EARLY_MS, lookAt, settle)
  return after(Math.max(dueAt, noSoonerAt), 0, lookAt, settle)
}

/** The shell waits before the mark of its prompt has reached us; so when a program had the terminal and the shell has it again. */
function isMarkOnTheWay({ look, phase, before }: Evidence): boolean {
  const isBack = phase === 'running' && before?.isShell === false
  return look?.isShell === true && look.outputRead !== true && (phase === 'between' || isBack)
}

/** The program has done nothing but glance at the terminal since that time, longer than one glance takes, and does so still. */
function settleGlances(
  evidence: Evidence,
  waits: readonly WaitSeen[],
  settle: () => Verdict,
): Verdict | number | undefined {
  if (waits.every(({ call }) => call === 'epoll') && confirmLoopMs(evidence) === undefined) return undefined
  const { waitSince = 0, lookAt = 0, writtenAt = 0, workingAt = 0 } = evidence
  const longestMs = Math.max(...waits.map(({ timeoutMs = 0 }) => timeoutMs))
  return after(Math.max(waitSince, writtenAt, workingAt), longestMs + GLANCES_QUIET_MS, lookAt, settle)
}

/** The thread can wait for nothing but input. One that watches other things is known to when its whole process is asleep. */
function isExact(wait: WaitSeen, { pids }: Look): boolean {
  if (wait.call !== 'epoll' && wait.tid === wait.pid && (wait.others ?? 0) === 0) return true
  return wait.sole === true && pids.length === 1
}

function exactDueAt(evidence: Evidence, waitSince: number, writtenAt: number): number {
  const { look, alternateScreen, bracketedPaste } = evidence
  if (look?.outputRead) return Math.max(waitSince, writtenAt + CONFIRM_MS)
  return waitSince + (alternateScreen || bracketedPaste ? UNREAD_DRAWN_CONFIRM_MS : UNREAD_CONFIRM_MS)
}

function loopDueAt(evidence: Evidence, waitSince: number): number | undefined {
  const confirmMs = confirmLoopMs(evidence)
  return confirmMs === undefined ? undefined : waitSince + confirmMs
}

function confirmLoopMs({ line, alternateScreen, bracketedPaste, cursorHidden }: Evidence): number | undefined {
  if (line.isKnown || line.isEditorPrompt || bracketedPaste || alternateScreen) return LOOP_PROMPT_CONFIRM_MS
  if (line.isPrompt) return LOOP_CONFIRM_MS
  return cursorHidden ? LOOP_STILL_CONFIRM_MS : undefined
}

const isKindUnknown = (evidence: Evidence) => !isShellListening(evidence) && stateOfWait(evidence) === 'unknown'

function settleWait(evidence: Evidence): Verdict {
  const state = isShellListening(evidence) ? 'prompt' : stateOfWait(evidence)
  return state === 'unknown' ? { kind: 'ask-attributes' } : ready('stdin_read', state)
}

/** Without marks, a shell of ours that edits a line is at its prompt; so is a shell that has taken its place. */
function isShellListening({ look, bracketedPaste, phase }: Evidence): boolean {
  if (!look?.isShell) return false
  return look.replacedBy === undefined ? bracketedPaste && phase !== 'starting' : look.replacedBy === 'shell'
}

/** A stopped member that no shell takes care of. */
const stoppedProgram: Rule = (evidence, policy) => {
  const { stoppedSince, lookAt = 0 } = evidence
  if (stoppedSince === undefined || !policy.acceptsSilence) return undefined
  return after(stoppedSince, STOPPED_MS, lookAt, () =>
    ready('inferred_idle', 'stopped', 'The foreground program has been stopped by a signal.'),
  )
}

/** A screen has been drawn and nothing in the foreground reads or works: whoever reads the keys is another process. */
const drawnElsewhere: Rule = (evidence, policy) => {
  const { writtenAt, look, lookAt = 0 } = evidence
  if (!policy.acceptsSilence || !evidence.alternateScreen || writtenAt === undefined || !look?.waitsKnown)
    return undefined
  if (look.isShell || look.waits.length > 0 || (!evidence.hasPrinted && evidence.input !== 'none')) return undefined
  const since = Math.max(writtenAt, evidence.lastOutputAt, evidence.workingAt ?? 0)
  return after(since, DRAWN_QUIET_MS, lookAt, () => ready('inferred_idle', 'fullscreen'))
}

/** Where waits cannot be read, echo switched off and quiet is the next best evidence of a question. */
const hiddenQuestion: Rule = (evidence, policy, now) => {
  const { writtenAt, look } = evidence
  if (!policy.acceptsSilence || writtenAt === undefined || look?.waitsKnown) return undefined
  if (!evidence.hasPrinted || evidence.phase === 'prompt' || evidence.phase === 'exiting') return undefined
  const dueAt = Math.max(evidence.lastOutputAt, writtenAt) + HIDDEN_QUIET_MS
  if (now < dueAt) return dueAt
  const { attributes } = evidence
  if (!attributes || attributes.at < evidence.lastOutputAt) return { kind: 'ask-attributes' }
  const isHidden = attributes.value?.canonical === true && !attributes.value.echo
  return isHidden ? ready('inferred_idle', 'hidden') : undefined
}

/** Output that only redraws one line holds back silence, within a bound of its own. */
const redrawing: Rule = (evidence, policy, now) => {
  if (evidence.redrawSince === undefined || !policy.acceptsSilence) return undefined
  if (now - evidence.lastOutputAt >= policy.idleSilenceMs) return undefined
  return after(evidence.redrawSince, policy.redrawPatienceMs, now, () =>
    ready('timeout', 'busy', 'The program has only redrawn one line.'),
  )
}

/** Silence, counted from the last output and the last evidence of work. */
const silence: Rule = (evidence, policy, now) => {
  if (!policy.acceptsSilence || evidence.phase === 'exiting') return undefined
  const since = Math.max(evidence.startedAt, evidence.writtenAt ?? 0, evidence.lastOutputAt, evidence.workingAt ?? 0)
  const waitMs = policy.idleSilenceMs + (evidence.sawPrompt ? policy.handoffGraceMs : 0)
  return after(since, waitMs, now, () => {
    const state = stateAtSilence(evidence)
    return state === 'unknown' ? { kind: 'ask-attributes' } : ready('inferred_idle', state)
  })
}

const timeout: Rule = (evidence, policy, now) =>
  after(evidence.startedAt, policy.timeoutMs, now, () =>
    ready('timeout', isBusy(evidence, policy, now) ? 'busy' : 'quiet'),
  )

const RULES: readonly Rule[] = [
  shellPrompt,
  programWait,
  stoppedProgram,
  drawnElsewhere,
  hiddenQuestion,
  redrawing,
  silence,
  timeout,
]

/** Whether work or output is recent enough to call the terminal busy. */
export function isBusy(evidence: Evidence, policy: ReadinessPolicy, now: number): boolean {
  if (evidence.workingAt !== undefined && now - evidence.workingAt <= WORK_MEMORY_MS) return true
  return now - evidence.lastOutputAt < policy.idleSilenceMs
}

function streamPauseMs({ lastOutputAt, streamSince }: Evidence): number {
  return Math.min(STREAM_PAUSE_MS, (lastOutputAt - streamSince) * STREAM_PAUSE_SHARE)
}

/** Looks follow news closely and thin out as it ages, so that a long wait costs next to nothing. */
function pollAt(evidence: Evidence, policy: ReadinessPolicy, now: number): number {
  const isAtPrompt = evidence.sawPrompt && (evidence.phase === 'prompt' || evidence.phase === 'continuation')
  // After its prompt the shell starts to wait within microseconds.
  if (isAtPrompt && evidence.look?.waitsKnown && now - evidence.phaseAt < PROMPT_RUSH_MS) return now
  const newsAt = Math.max(evidence.startedAt, evidence.lastOutputAt, evidence.phaseAt, evidence.writtenAt ?? 0)
  const ageMs = now - newsAt
  // The grace after a prompt mark is promised to hold a look.
  const isOld = ageMs >= OLD_NEWS_MS && !evidence.sawPrompt
  const { pollIntervalMs } = policy
  const pauseMs = isOld
    ? Math.min(4 * pollIntervalMs, Math.max(pollIntervalMs, ageMs / 5))
    : Math.min(pollIntervalMs, Math.max(1, ageMs * 0.75, streamPauseMs(evidence)))
  return now + Math.max(policy.leastPauseMs, pauseMs)
}
