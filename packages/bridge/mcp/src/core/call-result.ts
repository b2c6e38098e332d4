/** Results of tools as MCP carries them. Model Context Protocol 2025-11-25, "Tools / Tool Result". */
import { cleanText } from '@agent-terminals/text'

/** A finished call. */
export interface CallFacts {
  readonly content: readonly CallBlock[]
  readonly structured?: Readonly<Record<string, unknown>>
  readonly isError?: boolean
  readonly code?: string
}
export type CallBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'json'; readonly value: unknown }

/** How the data of a result stand to the schema that was announced for it. */
export type StructuredFit = 'fits' | 'differs' | 'none-announced'

export interface McpCallResult {
  readonly content: { readonly type: 'text'; readonly text: string }[]
  readonly structuredContent?: Record<string, unknown>
  readonly isError?: true
  readonly _meta?: Record<string, unknown>
}

/** Where the code of an error is found, for programs. */
export const ERROR_CODE_KEY = 'agent-terminals/code'

const MISMATCH =
  '[the data of this result do not have the announced shape and were left out; the text above is what there is]'

/**
 * A client refuses a success whose data are missing or have another shape than announced, and with it the text. So such a
 * result goes out as an error that keeps the text.
 */
export function renderCallResult(result: CallFacts, fit: StructuredFit): McpCallResult {
  const content = result.content.map(renderBlock)
  const isMisfit = result.isError !== true && fit === 'differs'
  if (isMisfit) content.push({ type: 'text', text: MISMATCH })
  const isError = result.isError === true || isMisfit
  const { structured } = result
  return {
    content,
    ...(structured !== undefined && fit !== 'differs' ? { structuredContent: cleanRecord(structured) } : {}),
    ...(isError ? { isError: true } : {}),
    ...(result.code === undefined ? {} : { _meta: { [ERROR_CODE_KEY]: result.code } }),
  }
}

function renderBlock(block: CallBlock): { readonly type: 'text'; readonly text: string } {
  return { type: 'text', text: block.type === 'text' ? cleanText(block.text) : JSON.stringify(block.value, null, 2) }
}

/** Data without control functions in their strings: names of files and directories may hold any. */
function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(cleanValue)
  return typeof value === 'object' && value !== null ? cleanRecord(value) : value
}

function cleanRecord(record: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, cleanValue(value)]))
}
