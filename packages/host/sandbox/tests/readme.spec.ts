import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SANDBOX_ERROR_CODES } from '../src/contract.js'
import { SANDBOX_ERRORS } from '../src/index.js'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

test('the README lists every failure with its meaning, in order', () => {
  const rows = [...readme.matchAll(/^\| `([A-Z_]+)` +\| (.*?) +\|$/gm)].map(([, code, meaning]) => [code, meaning])
  expect(rows).toEqual(Object.entries(SANDBOX_ERRORS))
  expect(Object.keys(SANDBOX_ERRORS)).toEqual([...SANDBOX_ERROR_CODES])
})

test('every test that docs/security.md names exists', () => {
  const page = readFileSync(new URL('../../../../docs/security.md', import.meta.url), 'utf8')
  const paths = [...page.matchAll(/`((?:host|terminal|bridge)\/[\w./-]+)`/g)].map(([, path]) => path ?? '')
  expect(paths.length).toBeGreaterThan(20)
  expect(paths.filter((path) => !existsSync(new URL(`../../../${path}`, import.meta.url)))).toEqual([])
})
