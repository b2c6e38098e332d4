/** The last step of every result of these tools, whoever made it: clean text within `maxResultBytes`. */
import { clipMiddle, utf8Length } from '@agent-terminals/text'
import type { ToolResult } from '@agent-terminals/tools/contract'
import { cleanText } from './clean.js'

/** Strings up to this size (ids, names, reasons) are never cut out of `structured`. */
const KEPT_STRING_BYTES = 64

/**
 * Seed, "Six model-facing tools": the complete single-text result fits the bound; content of several blocks, or of data, was
 * put together on purpose and stays as it is.
 */
export function finalizeResult(result: ToolResult, maxBytes: number): ToolResult {
  const [block, ...others] = result.content
  if (block?.type !== 'text' || others.length > 0) return result
  const text = clipMiddle(cleanText(block.text), maxBytes).text
  return {
    ...result,
    content: [{ type: 'text', text }],
    ...(result.structured === undefined ? {} : { structured: boundStructured(result.structured, maxBytes) }),
  }
}

type Plain = Readonly<Record<string, unknown>>

/** Clean strings, and the longest cut until the JSON text fits `maxBytes`, as far as strings above 64 bytes can make it. */
export function boundStructured(value: Plain, maxBytes: number): Plain {
  const cleaned = mapStrings(value, cleanText)
  const excess = jsonBytes(cleaned) - maxBytes
  if (excess <= 0) return cleaned
  const sizes: number[] = []
  mapStrings(cleaned, (text) => {
    sizes.push(jsonBytes(text) - 2)
    return text
  })
  const level = Math.max(KEPT_STRING_BYTES, findLevel(sizes, sizes.reduce((sum, each) => sum + each, 0) - excess))
  return mapStrings(cleaned, (text) => clipJson(text, level))
}

/** The largest size to which all longer strings can be cut so that their sum fits `budget`. */
function findLevel(sizes: readonly number[], budget: number): number {
  const ascending = [...sizes].sort((a, b) => a - b)
  let left = budget
  for (const [index, size] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index))
    if (size > share) return share
    left -= size
  }
  return Number.POSITIVE_INFINITY
}

/** A string whose JSON form, without quotes, takes at most `maxBytes`. */
function clipJson(text: string, maxBytes: number): string {
  let room = maxBytes
  let clipped = text
  while (jsonBytes(clipped) - 2 > maxBytes) {
    clipped = clipMiddle(text, room).text
    room = Math.floor(room * 0.75)
  }
  return clipped
}

function jsonBytes(value: unknown): number {
  return utf8Length(JSON.stringify(value))
}

/** A copy with every string, at any depth, replaced. */
function mapStrings(value: Plain, change: (text: string) => string): Plain {
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapValue(each, change)]))
}

function mapValue(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((each) => mapValue(each, change))
  if (typeof value === 'object' && value !== null) return mapStrings(value as Plain, change)
  return value
}
