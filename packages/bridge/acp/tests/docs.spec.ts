/** The page on ACP and the code have the same lists. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { ACP_ERRORS, Config } from '../src/index.js'

const page = readFileSync(fileURLToPath(new URL('../../../../docs/acp.md', import.meta.url)), 'utf8')

/** Rows of the table under a heading, as cells. */
function rowsOf(heading: string): readonly (readonly string[])[] {
  const section = page.slice(page.indexOf(`## ${heading}`)).split('\n## ')[0] ?? ''
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
}
const code = (cell: string | undefined) => cell?.replaceAll('`', '') ?? ''

test('every error code is listed with its meaning', () => {
  const listed = rowsOf('Errors').map(([name, , meaning]) => [code(name), meaning?.replaceAll('`', '')])
  expect(Object.fromEntries(listed)).toEqual(
    Object.fromEntries(Object.entries(ACP_ERRORS).map(([name, meaning]) => [name, meaning.replaceAll('`', '')])),
  )
})

test('every configuration key is listed with its default', () => {
  const schema = z.toJSONSchema(Config, { io: 'input' }) as {
    readonly properties: Readonly<Record<string, { readonly default?: unknown }>>
  }
  const defaults = Object.entries(schema.properties).map(([key, { default: value }]) => [
    key,
    value === undefined ? 'none' : JSON.stringify(value),
  ])
  const listed = rowsOf('Configuration').map(([key, value]) => [code(key), code(value)])
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(defaults))
})

test.each([
  ['maxCardBytes', { maxCardBytes: 100 }],
  ['cardTailBytes', { maxCardBytes: 8192, cardTailBytes: 8192 }],
  ['flushIntervalMs', { flushIntervalMs: 0 }],
  ['askPermission', { askPermission: [''] }],
  ['colour', { colour: true }],
])('a bad %s is refused by name', (field, config) => {
  const parsed = Config.safeParse(config)
  expect(parsed.success).toBe(false)
  expect(JSON.stringify(parsed.error?.issues)).toContain(field)
})
