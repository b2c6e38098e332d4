import * as agents from '@agent-terminals/agents'
import type { SessionLog } from '@agent-terminals/agents/contract'
import { Context } from '@deepseek-ai/cordis'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as policy from '../../src/policy/index.js'

let ctx: Context
let session: SessionLog

beforeEach(async () => {
  ctx = new Context()
  await ctx.plugin(agents, {})
  await ctx.plugin(policy, policy.Config.parse({ mode: 'workspace-write' }))
  session = (await ctx.agents.create({ cwd: process.cwd() })).session
})
afterEach(() => ctx.fiber.dispose())

const effective = () => ctx.sandboxPolicy.resolve({ session }).mode

test('a session without a choice has the default of the deployment', () => {
  expect(effective()).toBe('workspace-write')
  expect(ctx.sandboxPolicy.resolve({}).mode).toBe('workspace-write')
})

test('a choice is a logged event and the last one counts', () => {
  ctx.sandboxPolicy.setMode(session, 'read-only')
  ctx.sandboxPolicy.setMode(session, 'danger-full-access')
  expect(effective()).toBe('danger-full-access')
  expect(session.events.filter((event) => event.type === 'sandbox/mode').map((event) => event.data)).toEqual([
    { mode: 'read-only' },
    { mode: 'danger-full-access' },
  ])
})

test('a fence refuses a change of the effective mode before anything is logged and says why', () => {
  const release = ctx.sandboxPolicy.fence((asked) => (asked === session ? 'Close terminal t1 first.' : undefined))
  const before = session.events.length
  expect(() => ctx.sandboxPolicy.setMode(session, 'read-only')).toThrowError(
    expect.objectContaining({ code: 'MODE_IN_USE', message: expect.stringContaining('Close terminal t1 first.') }),
  )
  expect(() => session.append('sandbox/mode', { mode: 'read-only' })).toThrowError(
    expect.objectContaining({ code: 'MODE_IN_USE' }),
  )
  expect(session.events.length).toBe(before)
  expect(effective()).toBe('workspace-write')

  release()
  ctx.sandboxPolicy.setMode(session, 'read-only')
  expect(effective()).toBe('read-only')
})

test('the mode already in force may be written again behind a fence', () => {
  ctx.sandboxPolicy.fence(() => 'Close it first.')
  ctx.sandboxPolicy.setMode(session, 'workspace-write')
  expect(session.events.at(-1)).toMatchObject({ type: 'sandbox/mode', data: { mode: 'workspace-write' } })
})

test('a fence of one session leaves others free', async () => {
  const other = (await ctx.agents.create({ cwd: process.cwd() })).session
  ctx.sandboxPolicy.fence((asked) => (asked === session ? 'Close it first.' : undefined))
  ctx.sandboxPolicy.setMode(other, 'read-only')
  expect(ctx.sandboxPolicy.resolve({ session: other }).mode).toBe('read-only')
})

test('a mode nobody knows is refused', () => {
  expect(() => session.append('sandbox/mode', { mode: 'root' as never })).toThrowError(
    expect.objectContaining({ code: 'MODE_INVALID' }),
  )
})
