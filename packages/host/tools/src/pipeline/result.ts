/** Results as the pipeline passes them on: plain, frozen, of one shape. */
import { clipMiddle } from '@agent-terminals/text'
import type { ContentBlock, ToolResult } from '../contract.js'
import { describeAsJson, freezeDeeply } from '../core/json.js'

const MAX_ERROR_BYTES = 16_384

/** The one shape of an error: the message, then the code in brackets. */
export function createErrorResult(code: string, message: string): ToolResult {
  const { text } = clipMiddle(message, MAX_ERROR_BYTES)
  return freezeDeeply({ content: [{ type: 'text', text: `${text}\n[error ${code}]` }], isError: true, code })
}

/** An error result for anything that was thrown. A string `code` on it is kept. */
export function toErrorResult(error: unknown, fallbackCode: string): ToolResult {
  if (!(error instanceof Error)) return createErrorResult(fallbackCode, describeThrown(error))
  const code = 'code' in error && typeof error.code === 'string' && error.code !== '' ? error.code : fallbackCode
  return createErrorResult(code, error.message || error.name)
}

function describeThrown(value: unknown): string {
  return typeof value === 'string'
    ? value
    : `Something that is no error was thrown: ${JSON.stringify(describeAsJson(value))}`
}

/** A plain frozen copy of a result, or nothing when the value is not one. */
export function copyResult(value: unknown): ToolResult | undefined {
  if (!isRecord(value) || !Array.isArray(value.content)) return undefined
  const content = value.content.map(copyBlock)
  if (!content.every((block) => block !== undefined)) return undefined
  const { structured, isError, code } = value
  if (structured !== undefined && !isRecord(structured)) return undefined
  return freezeDeeply({
    content,
    ...(structured === undefined ? {} : { structured: describeAsJson(structured) as Record<string, unknown> }),
    ...(isError === true ? { isError: true } : {}),
    ...(typeof code === 'string' ? { code } : {}),
  })
}

function copyBlock(block: unknown): ContentBlock | undefined {
  if (!isRecord(block)) return undefined
  if (block.type === 'text' && typeof block.text === 'string') return { type: 'text', text: block.text }
  return block.type === 'json' ? { type: 'json', value: describeAsJson(block.value) } : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
