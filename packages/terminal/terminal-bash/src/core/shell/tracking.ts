/** Follows the shell through its marks and what else is known about it. Pure; times are the host's, in milliseconds. */
import type { ShellEvent } from './events.js'
import { addTyped, isBlank, type TypedLines, takeTyped } from './typed-lines.js'

export interface RunningCommand {
  readonly commandId: string
  /** As typed. `undefined` when it was not typed by the host alone: take what the screen shows. */
  readonly commandLine: string | undefined
  readonly startedAt: number
}

export interface FinishedCommand extends RunningCommand {
  /** `undefined` when the end was seen without its code. */
  readonly exitCode: number | undefined
  readonly durationMs: number
}

export type ShellPhase =
  /** No prompt yet. `userRc` while the user's own start-up files run. */
  | { readonly kind: 'starting'; readonly userRc: boolean }
  /** The prompt is being drawn. */
  | { readonly kind: 'prompting' }
  /** The line editor listens. */
  | { readonly kind: 'editing' }
  /** The line editor listens for the rest of an unfinished command. */
  | { readonly kind: 'continuing' }
  | { readonly kind: 'running'; readonly command: RunningCommand }
  /**
   * A prompt was drawn without the command's end having been told. Either the hook was removed or the command printed the prompt
   * itself (`echo "${PS1@P}"`): only the kernel knows whether the shell listens.
   */
  | { readonly kind: 'doubtful'; readonly command: RunningCommand; readonly exitCode: number | undefined }
  /** A command ended, and its prompt is on the way, unless another pasted command follows. */
  | { readonly kind: 'between' }
  | { readonly kind: 'exiting'; readonly exitCode: number | undefined }
  /** The marks say nothing about the present any more: the shell was replaced or its hooks were removed. */
  | { readonly kind: 'lost' }

export interface ShellTracking {
  readonly phase: ShellPhase
  /** The newest command that has ended. */
  readonly finished: FinishedCommand | undefined
  readonly cwd: string | undefined
  /** Commands started so far; numbers the next id. */
  readonly commands: number
  /** The shell's own count of input lines, from its newest mark. */
  readonly lineCount: number | undefined
  readonly typed: TypedLines | undefined
  /** Whether the shell tells the start of every command. */
  readonly startsTold: boolean
  /** Whether prompts and the line editor are drawn on this terminal. If not, a typed line is known to run because it was typed. */
  readonly editorSeen: boolean
}

export type TrackingEvent =
  | ShellEvent
  /** The host has typed text and Enter at a prompt. */
  | { readonly kind: 'typed'; readonly text: string }
  /** Evidence from outside: another program took the shell's place, or the shell listens though its marks say otherwise. */
  | { readonly kind: 'marks-missing' }

export const STARTING: ShellTracking = {
  phase: { kind: 'starting', userRc: false },
  finished: undefined,
  cwd: undefined,
  commands: 0,
  lineCount: undefined,
  typed: undefined,
  startsTold: true,
  editorSeen: true,
}

/** Whether the shell's marks describe the present. `none` until the first prompt has been proven. */
export function promptDetection(tracking: ShellTracking): 'active' | 'lost' | 'none' {
  if (tracking.phase.kind === 'starting') return 'none'
  return tracking.phase.kind === 'lost' ? 'lost' : 'active'
}

/** The newest command that ended, a doubtful end included. */
export function lastCommand(tracking: ShellTracking, at: number): FinishedCommand | undefined {
  const { phase } = tracking
  return phase.kind === 'doubtful' ? finish(phase.command, phase.exitCode, at) : tracking.finished
}

/** Repeated marks and marks out of order change nothing they cannot know. */
export function trackShell(tracking: ShellTracking, event: TrackingEvent, at: number): ShellTracking {
  switch (event.kind) {
    case 'user-rc':
      return tracking.phase.kind === 'starting' ? { ...tracking, phase: { kind: 'starting', userRc: true } } : tracking
    case 'prompt-start':
      return handlePromptStart(tracking, event)
    case 'prompt-end':
      return tracking.phase.kind === 'running' || tracking.phase.kind === 'doubtful'
        ? tracking
        : { ...tracking, phase: { kind: 'editing' } }
    case 'continuation':
      // Where the other hooks are gone, nothing would tell the end of the continuation.
      return tracking.phase.kind === 'running' || tracking.phase.kind === 'lost'
        ? tracking
        : { ...tracking, phase: { kind: 'continuing' } }
    case 'typed':
      return handleTyped(tracking, event.text, at)
    case 'command-start':
      return handleCommandStart(tracking, event, at)
    case 'command-end':
      return handleCommandEnd(tracking, event.exitCode, at)
    case 'cwd':
      return { ...tracking, cwd: event.cwd }
    case 'exiting':
      return {
        ...endCommand(tracking, event.exitCode, at),
        phase: { kind: 'exiting', exitCode: event.exitCode },
        typed: undefined,
      }
    case 'marks-missing':
      return tracking.phase.kind === 'exiting'
        ? tracking
        : { ...endCommand(tracking, undefined, at), phase: { kind: 'lost' }, typed: undefined }
  }
}

function handlePromptStart(
  tracking: ShellTracking,
  event: Extract<ShellEvent, { kind: 'prompt-start' }>,
): ShellTracking {
  const { phase } = tracking
  if (phase.kind === 'running' || phase.kind === 'doubtful') {
    const doubtful = { kind: 'doubtful', command: phase.command, exitCode: event.exitCode } as const
    return { ...tracking, phase: doubtful, lineCount: event.line ?? tracking.lineCount }
  }
  const { line: lineCount, startsTold, editorSeen } = event
  return { ...tracking, phase: { kind: 'prompting' }, lineCount, startsTold, editorSeen, typed: undefined }
}

/** Typing at a doubtful prompt means that it was one: the lines of the command before have all been read. */
function handleTyped(tracking: ShellTracking, text: string, at: number): ShellTracking {
  if (!tracking.editorSeen && tracking.phase.kind === 'editing' && text.trim() !== '') {
    return run(tracking, { commandLine: text, startedAt: at }, undefined)
  }
  const earlier = tracking.phase.kind === 'doubtful' ? undefined : tracking.typed
  return { ...tracking, typed: addTyped(earlier, text, tracking.lineCount, at) }
}

function handleCommandStart(
  tracking: ShellTracking,
  event: Extract<ShellEvent, { kind: 'command-start' }>,
  at: number,
): ShellTracking {
  const started = endCommand(tracking, event.previousExitCode, at)
  const commandLine = tracking.typed && takeTyped(tracking.typed, tracking.lineCount, event.line)
  return run(started, { commandLine, startedAt: at }, event.line)
}

function handleCommandEnd(tracking: ShellTracking, exitCode: number | undefined, at: number): ShellTracking {
  const { phase, typed } = tracking
  if (phase.kind === 'running' || phase.kind === 'doubtful') {
    return { ...tracking, phase: { kind: 'between' }, finished: finish(phase.command, exitCode, at) }
  }
  const isListening = phase.kind === 'editing' || phase.kind === 'continuing'
  if (tracking.startsTold || !isListening || typed === undefined || isBlank(typed)) return tracking
  const command = { commandLine: takeTyped(typed, undefined, undefined), startedAt: typed.at }
  return handleCommandEnd(run(tracking, command, undefined), exitCode, at)
}

function run(
  tracking: ShellTracking,
  command: Omit<RunningCommand, 'commandId'>,
  lineCount: number | undefined,
): ShellTracking {
  const commands = tracking.commands + 1
  const phase = { kind: 'running', command: { commandId: `command-${commands}`, ...command } } as const
  return { ...tracking, phase, commands, lineCount: lineCount ?? tracking.lineCount }
}

/** Ends the command of which no end was told. */
function endCommand(tracking: ShellTracking, exitCode: number | undefined, at: number): ShellTracking {
  const { phase } = tracking
  if (phase.kind === 'running') return { ...tracking, finished: finish(phase.command, exitCode, at) }
  if (phase.kind === 'doubtful') return { ...tracking, finished: finish(phase.command, phase.exitCode, at) }
  return tracking
}

function finish(command: RunningCommand, exitCode: number | undefined, at: number): FinishedCommand {
  return { ...command, exitCode, durationMs: at - command.startedAt }
}
