import { expect, test } from 'vitest'
import type { Confinement } from '../../src/runner/runner.js'
import { renderProfile } from '../../src/runner/seatbelt.js'

const confinement: Confinement = {
  argv: ['/bin/bash'],
  mode: 'workspace-write',
  workspaceRoot: '/Users/me/a "quoted" \\ place',
  network: 'allow',
  privateDirectory: '/private/tmp/x',
  visible: [],
}

test('the profile denies writes except the workspace, the private directory and terminals', () => {
  expect(renderProfile(confinement).split('\n').slice(0, 4)).toEqual([
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    '(allow file-write* (subpath "/private/tmp/x") (subpath "/Users/me/a \\"quoted\\" \\\\ place"))',
  ])
})

test('read-only leaves the workspace out', () => {
  expect(renderProfile({ ...confinement, mode: 'read-only' })).not.toContain('/Users/me')
})

test('a denied network is in the profile', () => {
  expect(renderProfile(confinement)).not.toContain('network')
  expect(renderProfile({ ...confinement, network: 'deny' })).toContain('(deny network*)')
})
