import type { LeftoverFindings } from '@agent-terminals/subprocess/diagnostics'
import { describe, expect, test } from 'vitest'
import { examineLeftovers } from '../../src/doctor/leftovers.js'

const sleeper = { pid: 7, startTime: '70', command: 'sleep 60', sessionTag: 'one' }
const server = { pid: 8, startTime: '80', command: 'server\u001b[2J\n', sessionTag: undefined }
const findings = (change: Partial<LeftoverFindings> = {}): LeftoverFindings => ({
  leftovers: [sleeper, server],
  inUse: 0,
  unjudged: 0,
  ...change,
})
const world = (found: LeftoverFindings, survivors: readonly (typeof sleeper)[] = []) => ({
  find: async () => found,
  end: async () => survivors,
})

describe('leftovers', () => {
  test('are in order when there are none, and others are counted', async () => {
    const { check, leftovers } = await examineLeftovers(
      false,
      world(findings({ leftovers: [], inUse: 2, unjudged: 1 })),
    )
    expect(leftovers).toEqual([])
    expect(check).toMatchObject({
      status: 'ok',
      detail:
        'none of earlier runs; beside them 2 of hosts that run, 1 of hosts that cannot be seen from here (a container, or an older version)',
    })
  })

  test('are a warning with pid and command, of which nothing moves the cursor', async () => {
    const { check, leftovers } = await examineLeftovers(false, world(findings()))
    expect(check).toMatchObject({
      status: 'warn',
      detail: '2 of earlier runs',
      advice: 'End them with: agent-terminals doctor --end-leftovers',
      notes: ['7 sleep 60', '8 server?[2J?'],
    })
    expect(leftovers).toEqual([
      { pid: 7, startTime: '70', command: 'sleep 60', ended: false },
      { pid: 8, startTime: '80', command: server.command, ended: false },
    ])
  })

  test('are listed to a bound, and long commands are cut', async () => {
    const many = Array.from({ length: 30 }, (_, at) => ({ ...sleeper, pid: at, command: 'x'.repeat(500) }))
    const { check, leftovers } = await examineLeftovers(false, world(findings({ leftovers: many })))
    expect(check.notes).toHaveLength(21)
    expect(check.notes?.at(-1)).toBe('and 10 more; --json lists all')
    expect(check.notes?.[0]).toBe(`0 ${'x'.repeat(100)}…`)
    expect(leftovers).toHaveLength(30)
  })

  test('are told as ended once they are', async () => {
    const { check, leftovers } = await examineLeftovers(true, world(findings()))
    expect(check).toMatchObject({
      status: 'ok',
      detail: '2 of earlier runs ended',
      notes: ['7 sleep 60', '8 server?[2J?'],
    })
    expect(leftovers.map(({ ended }) => ended)).toEqual([true, true])
  })

  test('that cannot be ended are a failure which names them', async () => {
    const { check, leftovers } = await examineLeftovers(true, world(findings(), [sleeper]))
    expect(check).toMatchObject({ status: 'fail', detail: '1 ended, 1 could not be', notes: ['7 sleep 60'] })
    expect(leftovers.map(({ ended }) => ended)).toEqual([false, true])
  })

  test('are not ended when there are none', async () => {
    const end = () => Promise.reject(new Error('nothing to end'))
    const none = { find: async () => findings({ leftovers: [] }), end }
    expect((await examineLeftovers(true, none)).check.status).toBe('ok')
  })
})
