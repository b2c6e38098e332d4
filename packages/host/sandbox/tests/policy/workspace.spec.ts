import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as agents from '@agent-terminals/agents'
import type { SessionLog } from '@agent-terminals/agents/contract'
import { Context } from '@deepseek-ai/cordis'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as policy from '../../src/policy/index.js'

let ctx: Context
let session: SessionLog
let base: string
let root: string

beforeEach(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'workspace-')))
  root = join(base, 'root')
  for (const each of ['root', 'root/a', 'root/a/b', 'root/..c', 'rootless']) mkdirSync(join(base, each))
  writeFileSync(join(root, 'file'), '')
  symlinkSync(join(base, 'rootless'), join(root, 'way-out'))
  ctx = new Context()
  await ctx.plugin(agents, {})
  await ctx.plugin(policy, policy.Config.parse({ mode: 'workspace-write', workspaceRoot: root }))
  session = (await ctx.agents.create({ cwd: root })).session
})
afterEach(async () => {
  await ctx.fiber.dispose()
  rmSync(base, { recursive: true })
})

const inForce = () => ctx.sandboxPolicy.resolve({ session }).workspaceRoot
const narrow = (workspaceRoot: string) => session.append('sandbox/workspace', { workspaceRoot })

test('a session is narrowed to a directory inside, step by step, and nobody else with it', () => {
  expect(inForce()).toBe(root)
  narrow(join(root, 'a'))
  expect(inForce()).toBe(join(root, 'a'))
  narrow(join(root, 'a/b'))
  expect(inForce()).toBe(join(root, 'a/b'))
  expect(ctx.sandboxPolicy.resolve({}).workspaceRoot).toBe(root)
})

test('a directory whose name begins with two dots is inside', () => {
  narrow(join(root, '..c'))
  expect(inForce()).toBe(join(root, '..c'))
})

test.each([
  ['wider than the deployment', () => base],
  ['a neighbour with the same beginning', () => join(base, 'rootless')],
  ['a symlink out', () => join(root, 'way-out')],
  ['an unresolved way back', () => `${join(root, 'a')}/../a`],
  ['a file', () => join(root, 'file')],
  ['nothing there', () => join(root, 'ghost')],
  ['a relative path', () => 'a'],
])('%s is refused and nothing is logged', (_, directory) => {
  const before = session.events.length
  expect(() => narrow(directory())).toThrowError(expect.objectContaining({ code: 'WORKSPACE_INVALID' }))
  expect(session.events.length).toBe(before)
  expect(inForce()).toBe(root)
})

test('a narrowed session does not get its old workspace back', () => {
  narrow(join(root, 'a'))
  expect(() => narrow(root)).toThrowError(expect.objectContaining({ code: 'WORKSPACE_INVALID' }))
})

test('a fence holds the workspace as it holds the mode', () => {
  const release = ctx.sandboxPolicy.fence(() => 'Close terminal t1 first.')
  expect(() => narrow(join(root, 'a'))).toThrowError(
    expect.objectContaining({ code: 'MODE_IN_USE', message: expect.stringContaining('Close terminal t1 first.') }),
  )
  narrow(root)
  release()
  narrow(join(root, 'a'))
  expect(inForce()).toBe(join(root, 'a'))
})
