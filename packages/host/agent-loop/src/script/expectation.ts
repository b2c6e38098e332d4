/** Compare a result with what a script expects of it. Pure. */
import { joinBlocks } from '@agent-terminals/text'
import type { ToolResult } from '@agent-terminals/tools/contract'
import type { Expectation } from './format.js'

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === 'string' ? [value] : value
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether every field of `expected` is in `actual` with an equal value, deeply. Arrays must be equal in length. */
export function matchesPartially(actual: unknown, expected: unknown): boolean {
  if (Array.isArray(expected)) {
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((item, index) => matchesPartially(actual[index], item))
    )
  }
  if (isObject(expected)) {
    return isObject(actual) && Object.entries(expected).every(([key, value]) => matchesPartially(actual[key], value))
  }
  return Object.is(actual, expected)
}

/** @returns one sentence per difference; empty when the result is as expected. */
export function findMismatches(result: ToolResult, expected: Expectation): readonly string[] {
  const text = joinBlocks(result.content)
  const mismatches: string[] = []
  for (const part of listOf(expected.text)) {
    if (!text.includes(part)) mismatches.push(`the text lacks ${JSON.stringify(part)}`)
  }
  for (const part of listOf(expected.absent)) {
    if (text.includes(part)) mismatches.push(`the text has ${JSON.stringify(part)}`)
  }
  for (const [key, value] of Object.entries(expected.structured ?? {})) {
    const actual = result.structured?.[key]
    if (!matchesPartially(actual, value)) {
      mismatches.push(`${key} is ${JSON.stringify(actual)}, expected ${JSON.stringify(value)}`)
    }
  }
  if (expected.isError !== undefined && (result.isError ?? false) !== expected.isError) {
    mismatches.push(expected.isError ? 'it is not an error' : 'it is an error')
  }
  return mismatches
}
