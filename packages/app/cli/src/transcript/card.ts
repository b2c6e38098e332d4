/** One tool call as a person reads it: a title, what came back, and a line of facts. Pure. */
import { joinBlocks } from '@agent-terminals/text'
import type { RenderIntent, ToolResult } from '@agent-terminals/tools/contract'

export interface Card {
  readonly tool: string
  readonly title: string
  readonly body: readonly string[]
  /** Short facts: why it returned, in which state, how long it took. */
  readonly facts: readonly string[]
  readonly isError: boolean
}

export interface CardInput {
  readonly tool: string
  readonly presentation: RenderIntent
  readonly result: ToolResult
  readonly durationMs: number
}

function factOf(label: string, value: unknown): string[] {
  return typeof value === 'string' || typeof value === 'number' ? [`${label}${value}`] : []
}

function renderDuration(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`
}

/** Output lines: the text without the bracketed facts, which the facts line repeats in fewer words. */
function bodyOf(text: string): readonly string[] {
  const lines = text.replace(/\n+$/, '').split('\n')
  return lines.length === 1 && lines[0] === '' ? [] : lines
}

export function renderCard({ tool, presentation, result, durationMs }: CardInput): Card {
  const { waitReason, state, exitCode, jobId } = result.structured ?? {}
  return {
    tool,
    title: presentation.title,
    body: bodyOf(joinBlocks(result.content)),
    facts: [
      ...factOf('', waitReason),
      ...factOf('', state),
      ...factOf('exit ', exitCode),
      ...factOf('', jobId),
      ...factOf('', result.isError ? result.code : undefined),
      renderDuration(durationMs),
    ],
    isError: result.isError ?? false,
  }
}
