import { posix } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chooseWorkspace, isWithin } from '../../src/core/workspace.js'

test.each([
  ['/a', '/a', true],
  ['/a/b', '/a', true],
  ['/ab', '/a', false],
  ['/', '/a', false],
  ['/a', '/', true],
])('%s within %s: %s', (directory, outer, expected) => {
  expect(isWithin(directory, outer)).toBe(expected)
})

test.each([
  ['the root of the operator', '/w/root', ['/w/client'], '/w/root'],
  ["the client's first root", undefined, ['/w/client', '/w/other'], '/w/client'],
  ['the working directory', undefined, [], '/w/here'],
])('%s counts', (_, root, clientRoots, cwd) => {
  for (const mode of ['read-only', 'workspace-write', 'danger-full-access']) {
    const facts = { root, clientRoots, workingDirectory: '/w/here', policy: { mode, workspaceRoot: '/w' } }
    expect(chooseWorkspace(facts)).toMatchObject({ kind: 'chosen', cwd })
  }
})

const path = fc.array(fc.constantFrom('a', 'b', 'ab'), { maxLength: 4 }).map((parts) => `/${parts.join('/')}`)

test('within is where the way from outer to inner goes up nowhere', () => {
  const anyPath = fc
    .array(fc.constantFrom('a', 'b', 'ab', '..a', '...', 'a b'), { maxLength: 4 })
    .map((parts) => `/${parts.join('/')}`)
  fc.assert(
    fc.property(anyPath, anyPath, (directory, outer) => {
      expect(isWithin(directory, outer)).toBe(!posix.relative(outer, directory).split('/').includes('..'))
    }),
  )
})

test('whatever a client says, what may be written never grows', () => {
  fc.assert(
    fc.property(
      fc.array(path),
      path,
      path,
      fc.option(path, { nil: undefined }),
      (clientRoots, workingDirectory, workspaceRoot, root) => {
        const chosen = chooseWorkspace({
          root,
          clientRoots,
          workingDirectory,
          policy: { mode: 'workspace-write', workspaceRoot },
        })
        if (chosen.kind === 'refused') {
          expect(root !== undefined && !isWithin(root, workspaceRoot)).toBe(true)
          return
        }
        expect(isWithin(chosen.narrowTo ?? workspaceRoot, workspaceRoot)).toBe(true)
        expect(isWithin(chosen.cwd, chosen.narrowTo ?? workspaceRoot)).toBe(true)
        const first = clientRoots[0]
        expect(chosen.notice !== undefined).toBe(
          root === undefined && first !== undefined && !isWithin(first, workspaceRoot),
        )
      },
    ),
  )
})
