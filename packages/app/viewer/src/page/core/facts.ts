/** What the page shows of a terminal beside its output. */
import type { CommandPart, TerminalState } from '@agent-terminals/ahp/protocol'
import { visibleText } from './visible-text.js'

export type CommandOutcome =
  | { readonly kind: 'running' }
  /** `exitCode` is not known of every command. */
  | { readonly kind: 'finished'; readonly exitCode: number | undefined; readonly durationMs: number | undefined }

export interface CommandFacts {
  readonly commandId: string
  readonly line: string
  /** Unix ms, clock of the host. */
  readonly startedAt: number
  readonly outcome: CommandOutcome
}

export interface TerminalFacts {
  readonly title: string
  readonly claim: TerminalState['claim']
  readonly lifecycle: TerminalState['lifecycle']
  readonly cwd: string | undefined
  readonly size: { readonly cols: number; readonly rows: number } | undefined
  /** The newest command, running or done. */
  readonly command: CommandFacts | undefined
}

export function factsOf(state: TerminalState): TerminalFacts {
  const { title, claim, lifecycle, cwd, cols, rows, content } = state
  const last = content.findLast((part) => part.type === 'command')
  return {
    title,
    claim,
    lifecycle,
    cwd,
    size: cols === undefined || rows === undefined ? undefined : { cols, rows },
    command: last === undefined ? undefined : commandFactsOf(last),
  }
}

export function commandFactsOf({
  commandId,
  commandLine,
  timestamp,
  isComplete,
  exitCode,
  durationMs,
}: CommandPart): CommandFacts {
  return {
    commandId,
    line: visibleText(commandLine, 300),
    startedAt: timestamp,
    outcome: isComplete ? { kind: 'finished', exitCode, durationMs } : { kind: 'running' },
  }
}

/** Whether a command is known to have failed. */
export function hasFailed(outcome: CommandOutcome): boolean {
  return outcome.kind === 'finished' && outcome.exitCode !== undefined && outcome.exitCode !== 0
}
