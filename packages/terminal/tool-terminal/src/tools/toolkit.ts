/** What the six tools share: the services they speak to, and the shape of a definition. */
import type { JobsService } from '@agent-terminals/jobs/contract'
import type {
  RemainingProcess,
  TerminalEvent,
  TerminalOwner,
  TerminalSessionId,
  TerminalSessions,
} from '@agent-terminals/terminal'
import { joinBlocks } from '@agent-terminals/text'
import type { GenericCard, ToolDefinition, ToolResult } from '@agent-terminals/tools/contract'
import type { z } from 'zod'
import type { ToolTerminalConfig } from '../config.js'
import { finalizeResult } from '../result/bound.js'
import { cleanLine } from '../result/clean.js'
import { composeText, type Fact } from '../result/compose.js'

export interface Toolkit {
  readonly config: ToolTerminalConfig
  readonly terminals: TerminalSessions
  /** Milliseconds of a clock that only moves forward. */
  now(): number
  /** The job service, when one is mounted at this moment. */
  findJobs(): JobsService | undefined
  /** @returns a release. */
  onTerminalEvent(id: TerminalSessionId, listener: (event: TerminalEvent) => void): () => void
}

/** A definition with the last step that all six share. */
export function defineTool<Input extends z.ZodType, Output extends z.ZodType>(
  kit: Toolkit,
  definition: Omit<ToolDefinition<Input, Output>, 'finalizeContent'>,
): ToolDefinition<Input, Output> {
  return { ...definition, finalizeContent: (result) => finalizeResult(result, kit.config.maxResultBytes) }
}

/** A result of one bounded text and the data it mirrors; `structured` gets the output as it stands in the text. */
export function reply(
  kit: Toolkit,
  output: string,
  facts: readonly Fact[],
  structured: (body: string, isCut: boolean) => Readonly<Record<string, unknown>>,
): ToolResult {
  const composed = composeText(output, facts, kit.config.maxResultBytes)
  return {
    content: [{ type: 'text', text: composed.text }],
    structured: structured(composed.body, composed.omittedBytes > 0),
  }
}

/** An id as it came from the model. The service decides whether it means anything. */
export const asSessionId = (id: string) => id as TerminalSessionId

/** The name of a terminal for a card: what its owner called it, else its id. */
export function labelOf(kit: Toolkit, owner: TerminalOwner, id: string): string {
  const name = findSession(kit, owner, id)?.name
  return name === undefined ? cleanLine(id, 64) : JSON.stringify(cleanLine(name))
}

/** The terminal as the caller may see it now, or nothing. */
export function findSession(kit: Toolkit, owner: TerminalOwner, id: string) {
  return kit.terminals.list(owner).find((session) => session.sessionId === id)
}

/** What lives on in a terminal beside its shell. Nothing when that cannot be known, or when the terminal has been closed. */
export async function findRemaining(
  kit: Toolkit,
  owner: TerminalOwner,
  id: string,
): Promise<readonly RemainingProcess[]> {
  try {
    return (await kit.terminals.remaining(owner, asSessionId(id))) ?? []
  } catch {
    return []
  }
}

/** A generic card for a result: what the model got. */
export function resultCard(kind: GenericCard['kind'], title: string, result: ToolResult): GenericCard {
  const text = joinBlocks(result.content)
  return text === '' ? { card: 'generic', kind, title } : { card: 'generic', kind, title, text }
}
