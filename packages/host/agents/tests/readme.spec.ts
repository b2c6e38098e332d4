import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { AGENT_ERRORS, Config } from '../src/index.js'

/** Rows of the tables whose first cell is code. */
const rows = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  )

it('the README lists every error code with its meaning, and no other', () => {
  const documented = rows.filter((cells) => cells.length === 2)
  expect(documented).toEqual([AGENT_ERRORS].flatMap((codes) => Object.entries(codes)))
})

it('the README lists every configuration field with its default, and no other', () => {
  const documented = rows.filter((cells) => cells.length === 3).map(([field, value]) => [field, value])
  expect(documented).toEqual(Object.entries(Config.parse(undefined)).map(([field, value]) => [field, String(value)]))
})
