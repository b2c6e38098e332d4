import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ConnectionConfig, HttpConfig } from '../src/config.js'
import { MCP_ERRORS } from '../src/errors.js'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const rows = [...readme.matchAll(/^\| `(\w+)` *\| ([^|]*)\|/gm)].map(
  ([, key = '', value = '']) => [key, value.trim()] as const,
)
const fieldRows = rows.filter(([key]) => !/^[A-Z_]+$/.test(key))

test('the README lists exactly the fields there are', () => {
  expect(fieldRows.map(([key]) => key).sort()).toEqual(Object.keys(HttpConfig.unwrap().shape).sort())
})

test('and their defaults', () => {
  const defaults = new Map<string, unknown>(Object.entries({ ...ConnectionConfig.parse({}), ...HttpConfig.parse({}) }))
  for (const [key, value] of fieldRows) {
    const actual = defaults.get(key)
    if (actual === undefined || Array.isArray(actual)) continue
    expect(value, key).toBe(String(actual))
  }
})

test('the README lists exactly the codes there are, with their meaning', () => {
  expect(Object.fromEntries(rows.filter(([key]) => /^[A-Z_]+$/.test(key)))).toEqual(MCP_ERRORS)
})
