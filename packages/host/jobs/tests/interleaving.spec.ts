import { useBaseline } from '@agent-terminals/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { JobOutput } from '../src/contract.js'
import { flush, startWork, useJobs } from './harness.js'

useBaseline()
const harness = useJobs({ disposeTimeoutMs: 5, killTimeoutMs: 0 })

type Action =
  | { readonly do: 'output' | 'wait-for-answer' | 'read' | 'wait' | 'kill' | 'flush' | 'dispose' }
  | { readonly do: 'end'; readonly status: 'completed' | 'killed' | 'failed' }

const action: fc.Arbitrary<Action> = fc.oneof(
  fc.constantFrom<Action>(
    { do: 'output' },
    { do: 'wait-for-answer' },
    { do: 'read' },
    { do: 'wait' },
    { do: 'kill' },
    { do: 'flush' },
    { do: 'dispose' },
  ),
  fc.constantFrom('completed', 'killed', 'failed').map((status): Action => ({ do: 'end', status: status as 'killed' })),
)

it('in any order of events a job settles once, loses no output, and every promise settles', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(action, { maxLength: 14 }),
      fc.constantFrom('ends', 'ignores', 'throws'),
      async (actions, kill) => {
        const agent = await harness.createAgent()
        const { work, job } = startWork(harness.jobs, agent, {
          onKill: (running) => {
            if (kill === 'throws') throw new Error('undeliverable')
            if (kill === 'ends') void running.end('completed')
          },
        })
        const pending: Promise<unknown>[] = []
        let produced = ''
        let read = ''
        let wasKilled = false
        let isDisposed = false
        const isLive = () => harness.jobs.list(agent).some(({ endedAt }) => endedAt === undefined)
        const take = (output: JobOutput) => {
          read += output.text
        }
        for (const each of actions) {
          if (isDisposed) break
          switch (each.do) {
            case 'output':
              if (isLive()) produced += `${actions.length},`
              work.handle.output(`${actions.length},`)
              break
            case 'wait-for-answer':
              work.handle.activity({ kind: 'waiting', detail: 'name? ' })
              break
            case 'read':
              take(harness.jobs.read(agent, job.id))
              break
            case 'wait':
              pending.push(harness.jobs.wait(agent, job.id, { timeoutMs: 1 }).then(take))
              break
            case 'kill':
              wasKilled ||= isLive()
              pending.push(harness.jobs.kill(agent, job.id).catch(({ code }) => expect(code).toBe('KILL_FAILED')))
              break
            case 'flush':
              await flush()
              break
            case 'end':
              await work.end(each.status)
              break
            case 'dispose':
              isDisposed = true
              pending.push(agent.dispose().catch(({ code }) => expect(code).toBe('CLEANUP_FAILED')))
          }
        }
        await Promise.all(pending)
        if (!isDisposed) {
          await work.end('completed')
          take(harness.jobs.read(agent, job.id))
          expect(read).toBe(produced)
          const [summary] = harness.jobs.list(agent)
          if (wasKilled) expect(summary?.status).not.toBe('completed')
          await agent.dispose()
        }
        expect(harness.events('job/settled', agent)).toHaveLength(1)
        expect(harness.jobs.list(agent)).toEqual([])
        expect(harness.jobs.hasActivity(agent)).toBe(false)
      },
    ),
    { numRuns: 80 },
  )
})
