/** What to show for calls and results when the tool has no say, or says something unusable. */

import type { Agent } from '@agent-terminals/agents/contract'
import { clipMiddle, joinBlocks } from '@agent-terminals/text'
import type { GenericCard, RenderIntent, ToolDefinition, ToolResult } from './contract.js'
import { describeAsJson, freezeDeeply } from './core/json.js'

const MAX_CARD_TEXT_BYTES = 4096

function genericCard(title: string, text?: string): GenericCard {
  return { card: 'generic', kind: 'other', title, ...(text ? { text } : {}) }
}

/** The tool's card for a call, or a generic one. Never throws. */
export function presentCall(definition: ToolDefinition, args: unknown, agent: Agent): RenderIntent {
  const fallback = genericCard(definition.name)
  return useCard(() => definition.presentCall?.(args, agent), fallback)
}

/** The tool's card for a result, or a generic one with the text, shortened. Never throws. */
export function presentResult(definition: ToolDefinition, args: unknown, result: ToolResult): RenderIntent {
  const fallback = presentPlainResult(definition.name, result)
  return useCard(() => definition.presentResult?.(args, result), fallback)
}

/** The card of a result whose tool cannot be asked. */
export function presentPlainResult(name: string, result: ToolResult): RenderIntent {
  return genericCard(name, clipMiddle(joinBlocks(result.content), MAX_CARD_TEXT_BYTES).text)
}

export function presentUnknownCall(name: string): RenderIntent {
  return genericCard(name)
}

function useCard(present: () => RenderIntent | undefined, fallback: RenderIntent): RenderIntent {
  try {
    const card = present()
    return freezeDeeply(isCard(card) ? (describeAsJson(card) as RenderIntent) : fallback)
  } catch {
    return freezeDeeply(fallback)
  }
}

function isCard(card: unknown): card is RenderIntent {
  if (typeof card !== 'object' || card === null) return false
  const { card: form, title } = card as { readonly card?: unknown; readonly title?: unknown }
  return (form === 'terminal' || form === 'generic') && typeof title === 'string'
}
