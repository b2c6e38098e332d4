import type {
  Attributes,
  Fact,
  InputShape,
  LineShape,
  Look,
  PromptPhase,
  ShellSeen,
  StartFact,
  WaitSeen,
} from './facts.js'
import { NO_LINE } from './facts.js'
import {
  CPU_SPAN_MS,
  CPU_WORK_MS,
  DRAWN_GLANCE_MS,
  ESCAPE_GLANCE_MS,
  GLANCE_MS,
  LOOP_GLANCE_MS,
  STREAM_GAP_MS,
} from './policy.js'

/** What the facts so far add up to. A value: folding a fact gives a new one. */
export interface Evidence {
  readonly startedAt: number
  /** Absent while the kernel has not taken all input. */
  readonly writtenAt?: number
  readonly input: InputShape
  readonly endsInEscape: boolean
  readonly before?: Look
  readonly phase: PromptPhase
  readonly phaseAt: number
  /**
   * A prompt that is drawn now is a new one: a command has started or ended since the input. Without that the line editor has
   * drawn the old one again, as it does when the window changes.
   */
  readonly isPromptDue: boolean
  /** A new prompt, or a continuation mark, has come since the input. */
  readonly sawPrompt: boolean
  /** A command has started since the input. */
  readonly sawCommand: boolean
  /** A command finished since the input, and the code says that it was stopped rather than ended. */
  readonly jobStopped: boolean
  /** Any byte, even one that shows nothing. */
  readonly lastOutputAt: number
  /** Since when output has come without a gap worth the name. */
  readonly streamSince: number
  /** Text or a new line; a redrawn line does not count. */
  readonly lastPrintedAt: number
  readonly hasPrinted: boolean
  /** Since when output has only redrawn one line. */
  readonly redrawSince?: number
  readonly look?: Look
  readonly lookAt?: number
  /** Nothing has been heard of the terminal since that look: what has come would say that it is out of date. */
  readonly isLookLatest: boolean
  readonly line: LineShape
  /** Waits that are news since the input, as one comparable text; empty when there are none. */
  readonly waitKey: string
  /** Since when that text has not changed and no output has come. */
  readonly waitSince?: number
  readonly stoppedSince?: number
  readonly workingAt?: number
  readonly cpu?: { readonly at: number; readonly cpuMs: number; readonly pgid: number }
  readonly attributes?: { readonly at: number; readonly value?: Attributes }
  readonly alternateScreen: boolean
  readonly bracketedPaste: boolean
  readonly addressing: boolean
  readonly keypad: boolean
  readonly cursorHidden: boolean
  readonly hasExited: boolean
}

/** Exit codes by which bash reports a stopped job: 128 + SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU on Linux; the same on macOS. */
const STOP_CODES = new Set([145, 146, 147, 148, 149, 150])

export function startEvidence(fact: StartFact): Evidence {
  return {
    startedAt: fact.at,
    ...(fact.input === 'none' ? { writtenAt: fact.at } : {}),
    input: fact.input,
    endsInEscape: fact.endsInEscape === true,
    ...(fact.before ? { before: fact.before } : {}),
    phase: fact.phase,
    phaseAt: fact.at,
    isPromptDue: fact.phase !== 'prompt' && fact.phase !== 'continuation',
    sawPrompt: false,
    sawCommand: false,
    jobStopped: false,
    lastOutputAt: fact.at,
    streamSince: fact.at,
    lastPrintedAt: fact.at,
    hasPrinted: false,
    isLookLatest: false,
    line: NO_LINE,
    waitKey: '',
    alternateScreen: fact.alternateScreen,
    bracketedPaste: fact.bracketedPaste,
    addressing: fact.addressing,
    keypad: fact.keypad,
    cursorHidden: fact.cursorHidden ?? false,
    hasExited: false,
  }
}

/** Waits that answer the input: of a thread that did not wait before, or that has been woken since. */
export function freshWaits(evidence: Evidence): readonly WaitSeen[] {
  const { look, before, input } = evidence
  if (!look) return []
  if (input === 'none' || !before) return look.waits
  return look.waits.filter((wait) => {
    const old = before.waits.find((each) => each.pid === wait.pid && each.tid === wait.tid)
    return old === undefined || wait.wakeups > old.wakeups
  })
}

/**
 * Whether a wait ends by itself before a person could have answered. Timers of an event loop are its own affair, and it is judged by
 * other signs; but one that wakes this often may be drawing a spinner.
 */
export function isGlance({ call, timeoutMs }: WaitSeen, evidence: Evidence): boolean {
  if (timeoutMs === undefined) return false
  const { alternateScreen, addressing, endsInEscape } = evidence
  if (call === 'epoll') return !alternateScreen && timeoutMs < LOOP_GLANCE_MS
  if (endsInEscape && timeoutMs <= ESCAPE_GLANCE_MS) return true
  return timeoutMs < (alternateScreen || addressing ? DRAWN_GLANCE_MS : GLANCE_MS)
}

export function fold(evidence: Evidence, fact: Fact): Evidence {
  switch (fact.type) {
    case 'start':
      return startEvidence(fact)
    case 'written':
      return { ...evidence, writtenAt: fact.at, isLookLatest: false }
    case 'shell':
      return { ...foldShell(evidence, fact.event, fact.at), isLookLatest: false }
    case 'output':
      return { ...foldOutput(evidence, fact), isLookLatest: false }
    case 'mode':
      return { ...foldMode(evidence, fact.mode, fact.on), isLookLatest: false }
    case 'look':
      return foldLook(evidence, fact.look, fact.line, fact.at)
    case 'attributes':
      return { ...evidence, attributes: { at: fact.at, ...(fact.attributes ? { value: fact.attributes } : {}) } }
    case 'exit':
      return { ...evidence, hasExited: true }
  }
}

function foldMode(evidence: Evidence, mode: Extract<Fact, { type: 'mode' }>['mode'], on: boolean): Evidence {
  switch (mode) {
    case 'alternate-screen':
      return { ...evidence, alternateScreen: on }
    case 'bracketed-paste':
      return { ...evidence, bracketedPaste: on }
    case 'addressing':
      return { ...evidence, addressing: on }
    case 'keypad':
      return { ...evidence, keypad: on }
    case 'cursor-hidden':
      return { ...evidence, cursorHidden: on }
  }
}

function foldShell(evidence: Evidence, { mark, phase, exitCode }: ShellSeen, at: number): Evidence {
  const entered: Evidence = { ...evidence, phase, phaseAt: at }
  switch (mark) {
    case 'prompt-end':
      return { ...entered, sawPrompt: evidence.sawPrompt || (phase === 'prompt' && evidence.isPromptDue) }
    case 'continuation':
      return { ...entered, sawPrompt: evidence.sawPrompt || phase === 'continuation' }
    case 'command-start':
      // What the line editor has shown says nothing about a program that starts only now.
      return { ...entered, isPromptDue: true, sawCommand: true, hasPrinted: false, jobStopped: false }
    case 'command-end':
      return {
        ...entered,
        isPromptDue: true,
        jobStopped: exitCode !== undefined && STOP_CODES.has(exitCode),
      }
    case 'prompt-start':
    case 'exiting':
      return entered
  }
}

function foldOutput(evidence: Evidence, fact: Extract<Fact, { type: 'output' }>): Evidence {
  const { waitSince: _waitSince, redrawSince, ...rest } = evidence
  const isRedraw = fact.printed && fact.redrawOnly
  const isNews = fact.printed && !fact.redrawOnly
  return {
    ...rest,
    lastOutputAt: fact.at,
    streamSince: fact.at - evidence.lastOutputAt < STREAM_GAP_MS ? evidence.streamSince : fact.at,
    lastPrintedAt: isNews ? fact.at : evidence.lastPrintedAt,
    hasPrinted: evidence.hasPrinted || fact.printed,
    ...(isNews
      ? {}
      : isRedraw
        ? { redrawSince: redrawSince ?? fact.at }
        : redrawSince === undefined
          ? {}
          : { redrawSince }),
  }
}

function foldLook(evidence: Evidence, look: Look | undefined, line: LineShape, at: number): Evidence {
  const { look: _look, waitSince, stoppedSince, attributes, ...rest } = evidence
  const looked = { ...rest, lookAt: at, isLookLatest: true, line }
  if (!look) return { ...looked, waitKey: '', ...(attributes ? { attributes } : {}) }
  const seen: Evidence = { ...looked, look }
  const waitKey = freshWaits(seen)
    .map((wait) => `${wait.pid}/${wait.tid}/${wait.call}/${isGlance(wait, seen) ? 'glance' : wait.wakeups}`)
    .join(' ')
  const isSameWait = waitKey === evidence.waitKey
  const isWorking = showsWork(evidence, look, at)
  return {
    ...seen,
    waitKey,
    ...(waitKey === '' ? {} : { waitSince: isSameWait && waitSince !== undefined ? waitSince : at }),
    ...(look.stopped ? { stoppedSince: stoppedSince ?? at } : {}),
    ...(attributes && isSameWait ? { attributes } : {}),
    ...(isWorking ? { workingAt: at } : {}),
    cpu: nextCpuSample(evidence, look, at),
  }
}

function showsWork(evidence: Evidence, look: Look, at: number): boolean {
  if (look.uninterruptible || look.timedSleep || look.runnable) return true
  // A shell of ours that runs a command itself and does not read waits for its own children (`wait`), or for a file.
  const isBuiltin = look.isShell && look.replacedBy === undefined && evidence.phase === 'running'
  if (isBuiltin && look.waitsKnown && look.waits.length === 0) return true
  const { cpu, look: last } = evidence
  if (last && (last.pgid !== look.pgid || last.pids.join() !== look.pids.join())) return true
  return cpu?.pgid === look.pgid && at - cpu.at >= CPU_SPAN_MS && look.cpuMs - cpu.cpuMs >= CPU_WORK_MS
}

function nextCpuSample(evidence: Evidence, look: Look, at: number): { at: number; cpuMs: number; pgid: number } {
  const { cpu } = evidence
  return cpu?.pgid === look.pgid && at - cpu.at < CPU_SPAN_MS ? cpu : { at, cpuMs: look.cpuMs, pgid: look.pgid }
}
