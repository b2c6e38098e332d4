import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SANDBOX_ERROR_CODES } from '../src/contract.js'
import { SANDBOX_ERRORS } from '../src/index.js'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

test('the README lists every failure with its meaning, in order', () => {
  const rows = [...readme.matchAll(/^\| `([A-Z_]+)` +\| (.*?) +\|$/gm)].map(([, code, meaning]) => [code, meaning])
  expect(rows).toEqual(Object.entries(SANDBOX_ERRORS))
  expect(Object.keys(SANDBOX_ERRORS)).toEqual([...SANDBOX_ERROR_CODES])
})
