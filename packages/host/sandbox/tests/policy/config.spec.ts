import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Config } from '../../src/policy/config.js'

let directory: string
beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'sandbox-policy-')))
})
afterEach(() => rmSync(directory, { recursive: true }))

test('the default mode is read-only on the working directory with network', () => {
  expect(Config.parse({})).toEqual({ mode: 'read-only', workspaceRoot: realpathSync('.'), network: 'allow' })
})

test('a workspace root behind a symlink is the directory it leads to', () => {
  const link = `${directory}-link`
  symlinkSync(directory, link)
  try {
    expect(Config.parse({ workspaceRoot: link }).workspaceRoot).toBe(directory)
  } finally {
    rmSync(link)
  }
})

test.each([
  ['a mode nobody knows', { mode: 'full' }, 'mode'],
  ['a workspace root that does not exist', { workspaceRoot: '/no/such/place' }, 'workspaceRoot'],
  ['a workspace root that is a file', { workspaceRoot: '$FILE' }, 'workspaceRoot'],
  ['an unknown network option', { network: 'maybe' }, 'network'],
])('%s is refused and the field named', (_, config, field) => {
  const file = join(directory, 'file')
  writeFileSync(file, '')
  const input = JSON.parse(JSON.stringify(config).replace('$FILE', file))
  const { error } = Config.safeParse(input)
  expect(error?.issues.map((issue) => issue.path.join('.'))).toEqual([field])
})

test('an unknown field is refused by name', () => {
  expect(Config.safeParse({ workspace: '.' }).error?.issues[0]?.message).toContain('workspace')
})
