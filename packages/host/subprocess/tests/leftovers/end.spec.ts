import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { isAlive, useBaseline, waitUntil } from '@agent-terminals/testing'
import { describe, expect, it } from 'vitest'
import { readOwnNamespace, renderHostTag } from '../../src/host-end/host-tag.js'
import { endLeftovers, findLeftovers, type Leftover } from '../../src/leftovers/index.js'
import { type TerminationOptions, TreeSurvivedError } from '../../src/teardown/index.js'

useBaseline()

const leftover = (pid: number, startTime: string, sessionTag?: string): Leftover => ({
  pid,
  startTime,
  command: 'sleep',
  sessionTag,
})

describe('ending leftovers', () => {
  it('ends each terminal once, from its oldest process, and those without a terminal one by one', async () => {
    const calls: TerminationOptions[] = []
    const survivors = await endLeftovers(
      [
        leftover(3, '300', 'one'),
        leftover(2, '200', 'one'),
        leftover(4, '400', 'two'),
        leftover(5, '500'),
        leftover(6, '600'),
      ],
      {
        terminate: async (options) => {
          calls.push(options)
          return { ended: 1, forced: false }
        },
      },
    )
    expect(survivors).toEqual([])
    expect(calls.map(({ root }) => root.pid)).toEqual([2, 4, 5, 6])
    expect(calls.slice(0, 2).map(({ tag }) => tag)).toEqual(['one', 'two'])
    expect(new Set(calls.map(({ tag }) => tag)).size).toBe(4)
  })

  it('tells what could not be ended, and goes on with the others', async () => {
    const stuck = { pid: 2, startTime: '200', command: 'stuck' }
    let ended = 0
    const survivors = await endLeftovers([leftover(2, '200', 'one'), leftover(4, '400', 'two')], {
      terminate: async ({ root }) => {
        if (root.pid === 2) throw new TreeSurvivedError([stuck])
        return { ended: ++ended, forced: false }
      },
    })
    expect(survivors).toEqual([stuck])
    expect(ended).toBe(1)
  })

  it('does not hide a failure of another kind', async () => {
    const terminate = () => Promise.reject(new Error('out of descriptors'))
    await expect(endLeftovers([leftover(2, '200')], { terminate })).rejects.toThrow('out of descriptors')
  })

  it.skipIf(process.platform !== 'linux')(
    'ends a real one with what it has started, and not its like without the tag (needs procfs)',
    async () => {
      const goneHost = { pid: process.pid, startTime: '1', namespace: readOwnNamespace() }
      const env = {
        PATH: process.env.PATH,
        AGENT_TERMINALS_HOST: renderHostTag(goneHost, 'cd'.repeat(16)),
        AGENT_TERMINALS_TAG: `test-of-leftovers-${process.pid}`,
      }
      const script = 'trap "" HUP TERM; env -i sleep 7301 & echo "$!"; wait'
      const [tagged, other] = [env, { PATH: process.env.PATH }].map((each) =>
        spawn('sh', ['-c', script], { env: each, stdio: ['ignore', 'pipe', 'ignore'], detached: true }),
      )
      if (tagged?.pid === undefined || other?.pid === undefined) throw new Error('nothing was started')
      const ends = [once(tagged, 'exit'), once(other, 'exit')]
      const [[child], [otherChild]] = (await Promise.all([
        once(tagged.stdout, 'data'),
        once(other.stdout, 'data'),
      ])) as [[Buffer], [Buffer]]
      const { leftovers } = await findLeftovers()
      const mine = leftovers.filter(({ sessionTag }) => sessionTag === env.AGENT_TERMINALS_TAG)
      expect(mine).toMatchObject([{ pid: tagged.pid, command: `sh -c ${script}` }])
      expect(await endLeftovers(mine)).toEqual([])
      await ends[0]
      expect(isAlive(Number(child))).toBe(false)
      expect([other.pid, Number(otherChild)].map(isAlive)).toEqual([true, true])
      process.kill(-other.pid, 'SIGKILL')
      await ends[1]
      await waitUntil('its child has gone', () => !isAlive(Number(otherChild)))
    },
  )
})
