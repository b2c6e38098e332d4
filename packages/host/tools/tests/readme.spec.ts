import { readCodeRows } from '@agent-terminals/testing'
import { expect, it } from 'vitest'
import { Config, RESULT_CODES, TOOL_ERRORS } from '../src/index.js'

const rows = readCodeRows(new URL('../README.md', import.meta.url))

it('the README lists every error code with its meaning, and no other', () => {
  const documented = rows.filter((cells) => cells.length === 2)
  expect(documented).toEqual([TOOL_ERRORS, RESULT_CODES].flatMap((codes) => Object.entries(codes)))
})

it('the README lists every configuration field with its default, and no other', () => {
  const documented = rows.filter((cells) => cells.length === 3).map(([field, value]) => [field, value])
  expect(documented).toEqual(Object.entries(Config.parse(undefined)).map(([field, value]) => [field, String(value)]))
})
