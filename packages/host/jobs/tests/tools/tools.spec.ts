import { tmpdir } from 'node:os'
import * as agents from '@agent-terminals/agents'
import { useBaseline } from '@agent-terminals/testing'
import * as toolsPlugin from '@agent-terminals/tools'
import { Context } from '@deepseek-ai/cordis'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as jobs from '../../src/index.js'
import { flush, startWork, textOf, useJobs } from '../harness.js'

useBaseline()
const harness = useJobs({ killTimeoutMs: 20 })

describe('the job tools', () => {
  it('are there while tools and jobs are', async () => {
    const names = ['job_output', 'job_kill', 'job_list']
    expect(harness.ctx.tools.list().map(({ name }) => name)).toEqual(names)
    expect(names.map((name) => harness.ctx.tools.inputSchema(name))).toMatchSnapshot()
  })

  it('come and go with the tools service, and the registry works without', async () => {
    const ctx = new Context()
    await ctx.plugin(agents, {})
    await ctx.plugin(jobs, {} as jobs.Config)
    const agent = await ctx.agents.create({ cwd: tmpdir() })
    const { work, job } = startWork(ctx.jobs, agent)
    work.handle.output('without tools')
    expect(ctx.jobs.read(agent, job.id).text).toBe('without tools')

    const fiber = ctx.plugin(toolsPlugin, {} as toolsPlugin.Config)
    await fiber
    await flush()
    expect(ctx.tools.list()).toHaveLength(3)
    await fiber.dispose()
    expect(ctx.get('tools')).toBeUndefined()
    expect(ctx.jobs.list(agent)).toHaveLength(1)
    await ctx.fiber.dispose()
  })

  it('show themselves as generic cards', () => {
    const { agent } = harness
    const present = (name: string, args: unknown) => harness.ctx.tools.presentCall(name, args, agent)
    expect(present('job_output', { jobId: 'test-1' })).toEqual({
      card: 'generic',
      kind: 'read',
      title: 'Output of test-1',
    })
    expect(present('job_kill', { jobId: 'test-1' })).toEqual({ card: 'generic', kind: 'execute', title: 'Stop test-1' })
    expect(present('job_list', {})).toEqual({ card: 'generic', kind: 'read', title: 'Jobs' })
  })
})

describe('job_output', () => {
  it('reads what is new and says how the job stands', async () => {
    const { work, job } = harness.startWork()
    work.handle.output('one\n')
    const first = await harness.run('job_output', { jobId: job.id })
    expect(textOf(first)).toBe('one\n[job test-1: running]')
    expect(first.structured).toEqual({
      jobId: 'test-1',
      kind: 'test',
      title: 'npm test',
      status: 'running',
      startedAt: job.startedAt,
      text: 'one\n',
      droppedBytes: 0,
      unreadBytes: 0,
    })
    expect(textOf(await harness.run('job_output', { jobId: job.id }))).toBe('[job test-1: running]')
    await work.end('completed', '[exit code 0]')
    expect(textOf(await harness.run('job_output', { jobId: job.id }))).toBe('[exit code 0]\n[job test-1: completed]')
  })

  it('with wait returns at the end', async () => {
    const { work, job } = harness.startWork()
    const call = harness.run('job_output', { jobId: job.id, wait: true, timeoutMs: 60_000 })
    work.handle.output('built\n')
    await work.end('failed', '[exit code 2]')
    expect(textOf(await call)).toBe('built\n[exit code 2]\n[job test-1: failed]')
  })

  it('with wait returns when an answer is needed, with the question (B065)', async () => {
    const { work, job } = harness.startWork()
    const call = harness.run('job_output', { jobId: job.id, wait: true })
    work.handle.output('name? ')
    work.handle.activity({ kind: 'waiting', detail: 'waits for a line: name? ' })
    expect(textOf(await call)).toBe('name? \n[job test-1: running]\n[waiting: waits for a line: name?]')
  })

  it('with wait and a time returns when the time is up', async () => {
    const { job } = harness.startWork()
    expect(textOf(await harness.run('job_output', { jobId: job.id, wait: true, timeoutMs: 1 }))).toBe(
      '[job test-1: running]',
    )
  })

  it('that is cancelled rejects with the caller’s reason and leaves the output unread', async () => {
    const { work, job } = harness.startWork()
    work.handle.output('kept')
    const controller = new AbortController()
    const call = harness.ctx.tools.execute({
      agent: harness.agent,
      name: 'job_output',
      args: { jobId: job.id, wait: true },
      signal: controller.signal,
    })
    controller.abort('stop')
    await expect(call).rejects.toBe('stop')
    expect(textOf(await harness.run('job_output', { jobId: job.id }))).toContain('kept')
  })

  it('splits what does not fit and continues with the rest', async () => {
    const { work, job } = harness.startWork({ outputLimitBytes: 200 })
    const lines = Array.from({ length: 60 }, (_, index) => `line ${index}\n`).join('')
    work.handle.output(lines)
    await work.end('completed')
    let all = ''
    let rounds = 0
    for (let unread = 1; unread > 0; rounds++) {
      const result = await harness.run('job_output', { jobId: job.id })
      expect(Buffer.byteLength(textOf(result))).toBeLessThanOrEqual(200)
      const { text, unreadBytes } = result.structured as { text: string; unreadBytes: number }
      all += text
      unread = unreadBytes
      expect(textOf(result).includes('call job_output again')).toBe(unread > 0)
    }
    expect(all).toBe(lines)
    expect(rounds).toBeGreaterThan(3)
  })

  it('keeps every result and notice within the job’s bound and the id readable, whatever comes', async () => {
    const anyText = fc.string({ unit: fc.constantFrom('a', '\n', '語', '🐚', '\ud83d'), maxLength: 300 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyText, { maxLength: 6 }),
        anyText,
        anyText,
        fc.integer({ min: 64, max: 400 }),
        async (pieces, detail, final, outputLimitBytes) => {
          const agent = await harness.createAgent()
          const { work, job } = startWork(harness.jobs, agent, { outputLimitBytes, title: detail })
          const results: string[] = []
          const read = async () => {
            const result = await harness.run('job_output', { jobId: job.id }, agent)
            results.push(textOf(result))
            return result.structured as { text: string; unreadBytes: number }
          }
          let all = ''
          for (const piece of pieces) {
            work.handle.output(piece)
            work.handle.activity({ kind: piece.length % 2 ? 'waiting' : 'quiet', detail })
            all += (await read()).text
          }
          await work.end('completed', final)
          for (let unread = 1; unread > 0; ) {
            const increment = await read()
            all += increment.text
            unread = increment.unreadBytes
          }
          results.push(textOf(await harness.run('job_kill', { jobId: job.id }, agent)))
          const notices = [...harness.events('job/settled', agent), ...harness.events('job/waiting', agent)]
          for (const text of [...results, ...notices.map((notice) => notice.text)]) {
            expect(Buffer.byteLength(text)).toBeLessThanOrEqual(outputLimitBytes)
            expect(text).toContain(`[job ${job.id}: `)
          }
          const produced = pieces.join('')
          expect(
            Buffer.from(all)
              .toString()
              .startsWith(
                Buffer.from(produced)
                  .toString()
                  .replace(/\ufffd$/, ''),
              ),
          ).toBe(true)
          await agent.dispose()
        },
      ),
      { numRuns: 40 },
    )
  })

  it('counts what was dropped because nobody read it', async () => {
    const { work, job } = harness.startWork()
    for (let index = 0; index < 300; index++) work.handle.output('x'.repeat(1024))
    const result = await harness.run('job_output', { jobId: job.id })
    expect(result.structured).toMatchObject({ droppedBytes: 300 * 1024 - 262_144 })
    expect(textOf(result)).toContain(
      `[${300 * 1024 - 262_144} bytes of older output dropped, nobody read them in time]`,
    )
  })
})

describe('job_kill', () => {
  it('reports killed, never completed', async () => {
    const { job } = harness.startWork({ onKill: (work) => work.end('completed') })
    const result = await harness.run('job_kill', { jobId: job.id })
    expect(textOf(result)).toBe('[job test-1: killed]')
    expect(result.structured).toMatchObject({ jobId: 'test-1', status: 'killed', endedAt: expect.any(Number) })
  })

  it('says so when the job has not ended yet', async () => {
    const { work, job } = harness.startWork({ onKill: () => undefined })
    expect(textOf(await harness.run('job_kill', { jobId: job.id }))).toBe(
      '[job test-1: stopping]\n[not ended yet: job_output with wait, or job_kill again]',
    )
    await work.end('killed')
  })

  it('tells why it could not', async () => {
    const { work, job } = harness.startWork({
      onKill: () => {
        throw new Error('no foreground group')
      },
    })
    const result = await harness.run('job_kill', { jobId: job.id })
    expect(result).toMatchObject({ isError: true, code: 'KILL_FAILED' })
    expect(textOf(result)).toContain('no foreground group')
    await work.end('killed')
  })
})

describe('job_list', () => {
  it('shows the caller’s own jobs, one a line', async () => {
    expect(textOf(await harness.run('job_list', {}))).toBe('[no jobs]')
    const first = harness.startWork({ title: 'npm test' })
    harness.startWork({ title: 'python3 -i' }).work.handle.activity({ kind: 'waiting', detail: '>>> ' })
    await first.work.end('completed')
    startWork(harness.jobs, await harness.createAgent())
    const result = await harness.run('job_list', {})
    expect(textOf(result)).toBe('test-1 [completed] [0 s] npm test\ntest-2 [running] [0 s] [waiting: >>>] python3 -i')
    expect(result.structured).toMatchObject({ jobs: [{ jobId: 'test-1' }, { jobId: 'test-2' }] })
  })
})

describe('bad input', () => {
  it.each([
    ['an unknown id', 'job_output', { jobId: 'test-9' }, 'UNKNOWN_JOB'],
    ['an unknown id', 'job_kill', { jobId: 'test-9' }, 'UNKNOWN_JOB'],
    ['no id', 'job_output', {}, 'INVALID_ARGUMENTS'],
    ['an empty id', 'job_kill', { jobId: '' }, 'INVALID_ARGUMENTS'],
    ['a wrong type', 'job_output', { jobId: 'test-1', wait: 'yes' }, 'INVALID_ARGUMENTS'],
    ['a negative time', 'job_output', { jobId: 'test-1', wait: true, timeoutMs: -1 }, 'INVALID_ARGUMENTS'],
    ['NaN', 'job_output', { jobId: 'test-1', wait: true, timeoutMs: Number.NaN }, 'INVALID_ARGUMENTS'],
    ['a huge time', 'job_output', { jobId: 'test-1', wait: true, timeoutMs: 1e300 }, 'INVALID_ARGUMENTS'],
    ['something extra', 'job_list', { all: true }, 'INVALID_ARGUMENTS'],
  ])('(%s to %s) gives one readable error and changes nothing', async (_what, name, args, code) => {
    const { work } = harness.startWork()
    const result = await harness.run(name, args)
    expect(result).toMatchObject({ isError: true, code })
    expect(textOf(result)).toMatch(/\S/)
    expect(work.kills).toBe(0)
    expect(harness.jobs.list(harness.agent)).toMatchObject([{ status: 'running' }])
  })

  it('with a foreign id is answered like one with an unknown id', async () => {
    const { work, job } = harness.startWork()
    const stranger = await harness.createAgent()
    for (const name of ['job_output', 'job_kill']) {
      const foreign = await harness.run(name, { jobId: job.id }, stranger)
      const unknown = await harness.run(name, { jobId: 'test-7' }, stranger)
      expect(textOf(foreign).replace(job.id, 'ID')).toBe(textOf(unknown).replace('test-7', 'ID'))
    }
    expect(work.kills).toBe(0)
  })
})

describe('the last word on a result', () => {
  it('keeps the job’s bound also for what policies put in its place', async () => {
    const { job } = harness.startWork({ outputLimitBytes: 64 })
    const long = 'x'.repeat(1000)
    const blocks = [
      { type: 'text', text: long },
      { type: 'text', text: long },
    ] as const
    const run = async (hooks: Parameters<typeof harness.ctx.tools.hook>[0]) => {
      const release = harness.ctx.tools.hook(hooks)
      const result = await harness.run('job_output', { jobId: job.id })
      release()
      return result
    }
    for (const hooks of [
      { before: () => ({ action: 'refuse', reason: long }) as const },
      { before: () => ({ action: 'respond', result: { content: [blocks[0]] } }) as const },
      { after: () => ({ action: 'replace', result: { content: [blocks[0]] } }) as const },
      { after: () => ({ action: 'block', reason: long }) as const },
    ]) {
      expect(Buffer.byteLength(textOf(await run(hooks)))).toBeLessThanOrEqual(64)
    }
    const structured = await run({ after: () => ({ action: 'replace', result: { content: blocks } }) })
    expect(structured.content).toEqual(blocks)
  })
})
