import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findViolations } from '../boundaries.mjs'

const house: Record<string, string> = {
  'packages/host/a/src/contract.ts': 'export interface A {}\nexport const A = 1\n',
  'packages/host/a/src/index.ts': 'export const a = 1\n',
  'packages/host/b/src/index.ts': 'export const b = 1\n',
  'packages/terminal/t/src/index.ts': 'export const t = 1\n',
  'packages/terminal/t/src/core/index.ts': 'export const core = 1\n',
  'packages/terminal/t/src/core/tsconfig.json': '{ "compilerOptions": { "types": [] } }',
  'packages/bridge/x/src/index.ts': 'export const x = 1\n',
  'packages/bridge/y/src/index.ts': 'export const y = 1\n',
  'packages/app/c/src/index.ts': 'export const c = 1\n',
}

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'house-')))
})
afterEach(() => rmSync(root, { recursive: true }))

async function violationsWith(changes: Record<string, string>): Promise<string[]> {
  for (const [path, text] of Object.entries({ ...house, ...changes })) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return findViolations(root, ['packages'])
}

const up = '../../../..'

test('a house that keeps the rules has no violations', async () => {
  expect(
    await violationsWith({
      'packages/app/c/src/index.ts': `import '${up}/packages/host/a/src/index.js'\n`,
      'packages/terminal/t/src/index.ts': `import './core/index.js'\nexport type { A } from '${up}/packages/host/a/src/contract.js'\n`,
    }),
  ).toEqual([])
})

test.each([
  ['a core module that imports Node', 'packages/terminal/t/src/core/index.ts', "import 'node:fs'", 'core-without-node'],
  [
    'a core module that leaves its folder',
    'packages/terminal/t/src/core/index.ts',
    "import '../index.js'",
    'core-is-pure',
  ],
  [
    'a host service that imports the family',
    'packages/host/a/src/index.ts',
    `import '${up}/packages/terminal/t/src/index.js'`,
    'host-below-family',
  ],
  [
    'a host service that imports another',
    'packages/host/b/src/index.ts',
    `import '${up}/packages/host/a/src/index.js'`,
    'host-by-contract',
  ],
  [
    'the family importing a value of a contract',
    'packages/terminal/t/src/index.ts',
    `import { A } from '${up}/packages/host/a/src/contract.js'\nexport const v = A`,
    'family-host-types',
  ],
  [
    'the family importing types beside a contract',
    'packages/terminal/t/src/index.ts',
    `export type { a } from '${up}/packages/host/a/src/index.js'`,
    'family-host-contracts',
  ],
  [
    'the family importing a bridge',
    'packages/terminal/t/src/index.ts',
    `import '${up}/packages/bridge/x/src/index.js'`,
    'family-below-bridges',
  ],
  [
    'a bridge importing a value of a contract',
    'packages/bridge/x/src/index.ts',
    `import { A } from '${up}/packages/host/a/src/contract.js'\nexport const v = A`,
    'bridges-host-types',
  ],
  [
    'a bridge importing types beside a contract',
    'packages/bridge/x/src/index.ts',
    `export type { a } from '${up}/packages/host/a/src/index.js'`,
    'bridges-host-contracts',
  ],
  [
    'a bridge importing another',
    'packages/bridge/x/src/index.ts',
    `import '${up}/packages/bridge/y/src/index.js'`,
    'bridges-apart',
  ],
  [
    'a bridge importing the app',
    'packages/bridge/x/src/index.ts',
    `import '${up}/packages/app/c/src/index.js'`,
    'bridges-below-app',
  ],
])('%s is a violation', async (_, path, text, rule) => {
  expect((await violationsWith({ [path]: `${text}\n` })).map((each) => each.split(':')[0])).toContain(rule)
})

test('a cycle is a violation', async () => {
  const violations = await violationsWith({
    'packages/app/c/src/index.ts': "import './other.js'\n",
    'packages/app/c/src/other.ts': "import './index.js'\n",
  })
  expect(violations.join('\n')).toContain('no-cycles')
})

test('a core folder without a tsconfig that shuts Node out is a violation', async () => {
  expect((await violationsWith({ 'packages/host/a/src/core/index.ts': 'export {}\n' })).join('\n')).toContain(
    '"types": []',
  )
})
