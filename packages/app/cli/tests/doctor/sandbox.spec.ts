import type { RunnerProbe, SandboxPolicy } from '@agent-terminals/sandbox/contract'
import { describe, expect, test } from 'vitest'
import { checkPolicy, checkRunners } from '../../src/doctor/sandbox.js'

const policy: SandboxPolicy = { mode: 'workspace-write', workspaceRoot: '/work', network: 'allow' }
const good: RunnerProbe = { runner: 'bwrap', usable: true, network: true, detail: 'seen', limits: ['One.'] }
const weak: RunnerProbe = { runner: 'landlock', usable: true, network: false, detail: 'seen', limits: ['Two.'] }
const broken: RunnerProbe = {
  runner: 'bwrap',
  usable: false,
  network: true,
  detail: 'no user namespaces',
  limits: [],
  advice: 'Allow user namespaces.',
}
const foreign: RunnerProbe = {
  runner: 'seatbelt',
  usable: false,
  network: true,
  detail: 'works on darwin only',
  limits: [],
}
const statuses = (probes: readonly RunnerProbe[], change: Partial<SandboxPolicy> = {}) =>
  checkRunners({ ...policy, ...change }, probes).map(({ status }) => status)

describe('the sandbox mode', () => {
  test.each([
    ['workspace-write', 'workspace-write in /work, network allow'],
    ['read-only', 'read-only, network allow'],
  ] as const)('%s is said with what it means', (mode, detail) => {
    expect(checkPolicy({ ...policy, mode })).toEqual({ name: 'sandbox mode', status: 'ok', detail })
  })

  test('danger-full-access is a warning', () => {
    expect(checkPolicy({ ...policy, mode: 'danger-full-access' })).toMatchObject({
      status: 'warn',
      cost: expect.any(String),
      advice: expect.stringMatching(/workspace-write/),
    })
  })
})

describe('the runners', () => {
  test('the first that works is used, and its limits are told', () => {
    expect(checkRunners(policy, [good, weak, foreign])).toEqual([
      { name: 'runner bwrap', status: 'ok', detail: 'used: seen', notes: ['One.'] },
      { name: 'runner landlock', status: 'ok', detail: 'works: seen' },
      { name: 'runner seatbelt', status: 'ok', detail: 'not usable: works on darwin only' },
    ])
  })

  test('a better one that does not work is a warning which names the one used instead', () => {
    expect(checkRunners(policy, [broken, weak])).toMatchObject([
      { status: 'warn', cost: 'landlock confines instead, within its limits.', advice: 'Allow user namespaces.' },
      { status: 'ok', detail: 'used: seen', notes: ['Two.'] },
    ])
  })

  test('a lesser one that does not work, or one of another platform, is none', () => {
    expect(statuses([weak, broken, foreign])).toEqual(['ok', 'ok', 'ok'])
    expect(statuses([foreign, weak])).toEqual(['ok', 'ok'])
  })

  test('none that works is a failure with what to do', () => {
    const [first, second] = checkRunners(policy, [broken, foreign])
    expect(first).toMatchObject({
      status: 'fail',
      cost: expect.stringMatching(/workspace-write/),
      advice: broken.advice,
    })
    expect(second?.status).toBe('fail')
  })

  test('one that cannot deny the network does not serve where it must be', () => {
    expect(checkRunners({ ...policy, network: 'deny' }, [weak])).toMatchObject([
      { status: 'fail', detail: 'works, but cannot deny the network' },
    ])
  })

  test('are not needed in danger-full-access', () => {
    expect(statuses([broken, foreign], { mode: 'danger-full-access' })).toEqual(['ok', 'ok'])
    expect(checkRunners({ ...policy, mode: 'danger-full-access' }, [good])).toMatchObject([{ detail: 'works: seen' }])
  })
})
