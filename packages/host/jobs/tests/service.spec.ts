import { useBaseline } from '@agent-terminals/testing'
import { Context } from '@deepseek-ai/cordis'
import { describe, expect, it } from 'vitest'
import type { JobControl, JobHandle, JobSpec } from '../src/contract.js'
import * as jobs from '../src/index.js'
import { flush, startWork, useJobs } from './harness.js'

useBaseline()
const harness = useJobs({ disposeTimeoutMs: 40, maxJobsPerOwner: 3, endedRetention: 2 })

describe('starting a job', () => {
  it('mints ids by kind and publishes the running job', () => {
    const ids = ['terminal', 'terminal', 'fetch'].map((kind) => harness.startWork({ kind }).job.id)
    expect(ids).toEqual(['terminal-1', 'terminal-2', 'fetch-1'])
    expect(harness.jobs.list(harness.agent).map(({ id }) => id)).toEqual(ids)
    expect(harness.jobs.list(harness.agent)[0]).toEqual({
      id: 'terminal-1',
      kind: 'terminal',
      title: 'npm test',
      status: 'running',
      activity: undefined,
      startedAt: expect.any(Number),
      endedAt: undefined,
      outputLimitBytes: 4096,
    })
    expect(harness.jobs.hasActivity(harness.agent)).toBe(true)
  })

  it('calls the producer once, before the id is visible to anyone', () => {
    const seen: unknown[] = []
    const { job } = startBare((handle) => seen.push(harness.jobs.list(harness.agent).length, handle.id))
    expect(seen).toEqual([0, job.id])
  })

  it('leaves no job when the producer throws, and lets the error through', () => {
    const error = new Error('SEND_ACTIVE')
    let handle: JobHandle | undefined
    expect(() =>
      harness.startWork({
        start(given) {
          handle = given
          throw error
        },
      }),
    ).toThrow(error)
    handle?.output('late')
    expect(harness.jobs.list(harness.agent)).toEqual([])
    expect(harness.jobs.hasActivity(harness.agent)).toBe(false)
  })

  it('takes output and activity that come while it starts', () => {
    const { job } = startBare((handle) => {
      handle.output('early')
      handle.activity({ kind: 'quiet', detail: 'thinking' })
    })
    expect(harness.jobs.read(harness.agent, job.id)).toMatchObject({
      text: 'early',
      summary: { activity: { kind: 'quiet', detail: 'thinking' } },
    })
  })

  it.each([
    ['kind', { kind: '' }],
    ['kind', { kind: 'Two Words' }],
    ['kind', { kind: 'x'.repeat(33) }],
    ['outputLimitBytes', { outputLimitBytes: 63 }],
    ['outputLimitBytes', { outputLimitBytes: Number.NaN }],
  ])('refuses a bad %s and starts nothing', (field, changes) => {
    let started = 0
    const start = (): JobControl => {
      started++
      throw new Error('never')
    }
    expect(() => harness.startWork({ ...changes, start })).toThrowError(
      expect.objectContaining({ code: 'SPEC_INVALID', message: expect.stringContaining(field) }),
    )
    expect(started).toBe(0)
  })

  it('refuses more live jobs than allowed, and ended ones do not count', async () => {
    const [first] = [harness.startWork(), harness.startWork(), harness.startWork()]
    expect(() => harness.startWork()).toThrowError(expect.objectContaining({ code: 'LIMIT_REACHED' }))
    await first?.work.end('completed')
    expect(harness.startWork().job.status).toBe('running')
  })

  it('refuses an owner that has ended', async () => {
    const { agent } = harness
    await agent.dispose()
    expect(() => harness.startWork()).toThrowError(expect.objectContaining({ code: 'OWNER_GONE' }))
  })

  it('refuses an owner whose scope takes nothing more', async () => {
    const { agent } = harness
    const ended = agent.dispose()
    const dying = Object.freeze({ ...agent, alive: true })
    expect(() => startWork(harness.jobs, dying)).toThrowError(expect.objectContaining({ code: 'OWNER_GONE' }))
    await ended
  })

  it('ends work that was started while its owner was ending', async () => {
    const agent = await harness.createAgent()
    let ended: Promise<void> | undefined
    let kills = 0
    harness.jobs.start({
      ...bareSpec(),
      owner: agent,
      start() {
        ended = agent.dispose()
        return { done: Promise.resolve({ status: 'killed', text: '' }), kill: async () => void kills++ }
      },
    })
    await ended
    expect(kills).toBeGreaterThan(0)
    expect(harness.jobs.list(agent)).toEqual([])
  })
})

describe('a foreign job', () => {
  it('is answered like an unknown one', async () => {
    const { job } = harness.startWork()
    const stranger = await harness.createAgent()
    const unknown = expect.objectContaining({ code: 'UNKNOWN_JOB' })
    for (const [owner, id] of [
      [stranger, job.id],
      [harness.agent, 'test-99'],
      [{ ...harness.agent, id: harness.agent.id }, job.id],
    ] as const) {
      expect(() => harness.jobs.read(owner, id)).toThrowError(unknown)
      await expect(harness.jobs.wait(owner, id, { timeoutMs: 1 })).rejects.toEqual(unknown)
      await expect(harness.jobs.kill(owner, id)).rejects.toEqual(unknown)
    }
    expect(harness.jobs.list(stranger)).toEqual([])
    expect(harness.jobs.hasActivity(stranger)).toBe(false)
    expect(harness.jobs.read(harness.agent, job.id).summary.status).toBe('running')
  })
})

describe('the end of a job', () => {
  it.each(['completed', 'killed', 'failed'] as const)('as %s is final and noticed exactly once', async (status) => {
    const { work, job } = harness.startWork()
    await work.end(status, 'result')
    await work.end('completed', 'again')
    work.handle.output('late')
    work.handle.activity({ kind: 'waiting', detail: 'late' })
    expect(await harness.jobs.kill(harness.agent, job.id)).toMatchObject({ status, activity: undefined })
    expect(work.kills).toBe(0)
    expect(harness.events('job/settled')).toEqual([
      {
        jobId: job.id,
        status,
        text: `[job test-1: ${status}] npm test\nresult\n[6 bytes unread: job_output reads them]`,
      },
    ])
    expect(harness.events('job/waiting')).toEqual([])
    expect(harness.jobs.read(harness.agent, job.id).text).toBe('result')
    expect(harness.jobs.hasActivity(harness.agent)).toBe(false)
  })

  it('by a rejection is a failure with its message', async () => {
    const { work, job } = harness.startWork()
    await work.fail(new Error('the terminal is gone'))
    expect(harness.jobs.read(harness.agent, job.id)).toMatchObject({
      summary: { status: 'failed' },
      text: 'the terminal is gone',
    })
  })

  it('that does not say how is a failure', async () => {
    const { job } = startBare(() => undefined, Promise.resolve({ status: 'fine' } as never))
    await flush()
    expect(harness.jobs.read(harness.agent, job.id)).toMatchObject({
      summary: { status: 'failed' },
      text: 'The job ended without saying how.',
    })
  })

  it('survives a session log that refuses the notice', async () => {
    harness.agent.session.guard((type) => {
      if (type === 'job/settled') throw new Error('audit is down')
    })
    const { work, job } = harness.startWork()
    await work.end('completed', 'result')
    expect(harness.jobs.read(harness.agent, job.id)).toMatchObject({ summary: { status: 'completed' }, text: 'result' })
  })

  it('survives a session listener that throws, and lets one that reads see the result', async () => {
    const seen: string[] = []
    harness.agent.session.onEvent(() => {
      throw new Error('listener')
    })
    const { work, job } = harness.startWork()
    harness.agent.session.onEvent(({ type }) => {
      if (type === 'job/settled') seen.push(harness.jobs.read(harness.agent, job.id).text)
    })
    await work.end('completed', 'result')
    expect(seen).toEqual(['result'])
  })

  it('says that the program ended while its children live on (B064)', async () => {
    const { work, job } = harness.startWork({ title: "sh -c 'nohup sleep 30 & exit 0'" })
    await work.end('completed', '[exit code 0]\n[still running in the background: sleep (4711)]')
    expect(harness.events('job/settled')[0]?.text).toContain(
      '[exit code 0]\n[still running in the background: sleep (4711)]',
    )
    expect(harness.jobs.read(harness.agent, job.id).summary.status).toBe('completed')
  })

  it('stays readable until newer ends push it out', async () => {
    const started: string[] = []
    for (let index = 0; index < 4; index++) {
      const { work, job } = harness.startWork()
      await work.end('completed', `result ${index}`)
      started.push(job.id)
    }
    await flush()
    expect(harness.jobs.list(harness.agent).map(({ id }) => id)).toEqual(started.slice(2))
    expect(() => harness.jobs.read(harness.agent, started[0] ?? '')).toThrow('There is no job')
  })
})

describe('killing a job', () => {
  it('asks it to stop and waits for its end', async () => {
    const { work, job } = harness.startWork()
    expect(await harness.jobs.kill(harness.agent, job.id)).toMatchObject({ status: 'killed' })
    expect(work.kills).toBe(1)
    expect(harness.events('job/settled')).toMatchObject([{ status: 'killed' }])
  })

  it('never leaves it completed (B062)', async () => {
    const { job } = harness.startWork({ onKill: (work) => work.end('completed', '[killed by SIGTERM after 2 s]') })
    expect(await harness.jobs.kill(harness.agent, job.id)).toMatchObject({ status: 'killed' })
    expect(harness.events('job/settled')[0]).toMatchObject({ status: 'killed' })
    expect(harness.events('job/settled')[0]?.text).toContain('SIGTERM')
  })

  it('answers stopping when the work takes longer, and asks again when it is called again', async () => {
    const { work, job } = harness.startWork({ onKill: () => undefined })
    expect(await harness.jobs.kill(harness.agent, job.id, { timeoutMs: 0 })).toMatchObject({ status: 'stopping' })
    expect(await harness.jobs.kill(harness.agent, job.id, { timeoutMs: 0 })).toMatchObject({ status: 'stopping' })
    expect(work.kills).toBe(2)
    await work.end('completed')
    expect(harness.jobs.list(harness.agent)).toMatchObject([{ status: 'killed' }])
  })

  it('shares one delivery between requests that overlap', async () => {
    let deliver: () => void = () => undefined
    const delivered = new Promise<void>((resolve) => {
      deliver = resolve
    })
    const { work, job } = harness.startWork({
      onKill: async (running) => {
        await delivered
        await running.end('killed')
      },
    })
    const both = [harness.jobs.kill(harness.agent, job.id), harness.jobs.kill(harness.agent, job.id)]
    deliver()
    expect(await Promise.all(both)).toMatchObject([{ status: 'killed' }, { status: 'killed' }])
    expect(work.kills).toBe(1)
  })

  it('says when the request could not be delivered, and can be tried again', async () => {
    let attempts = 0
    const { job } = harness.startWork({
      onKill: async (work) => {
        attempts++
        if (attempts === 1) throw new Error('no foreground group')
        await work.end('killed')
      },
    })
    await expect(harness.jobs.kill(harness.agent, job.id)).rejects.toMatchObject({
      code: 'KILL_FAILED',
      message: expect.stringContaining('no foreground group'),
    })
    expect(harness.jobs.list(harness.agent)).toMatchObject([{ status: 'stopping' }])
    expect(await harness.jobs.kill(harness.agent, job.id)).toMatchObject({ status: 'killed' })
  })
})

describe('waiting for a job', () => {
  it('returns at its end with all the output', async () => {
    const { work, job } = harness.startWork()
    const waiting = harness.jobs.wait(harness.agent, job.id, { timeoutMs: 60_000 })
    work.handle.output('one\n')
    work.handle.output('two')
    await work.end('completed', 'final')
    expect(await waiting).toMatchObject({ summary: { status: 'completed' }, text: 'one\ntwo\nfinal', unreadBytes: 0 })
  })

  it('returns when it waits for input, with the question (B065)', async () => {
    const { work, job } = harness.startWork()
    const waiting = harness.jobs.wait(harness.agent, job.id, { timeoutMs: 60_000 })
    work.handle.output('name? ')
    work.handle.activity({ kind: 'waiting', detail: 'waits for a line: name? ' })
    expect(await waiting).toMatchObject({
      summary: { status: 'running', activity: { kind: 'waiting', detail: 'waits for a line: name?' } },
      text: 'name? ',
    })
    expect(harness.events('job/waiting')).toEqual([
      { jobId: job.id, text: '[job test-1: waiting] waits for a line: name?' },
    ])
  })

  it('returns at once when it is waiting already or has ended', async () => {
    const { work, job } = harness.startWork()
    work.handle.activity({ kind: 'waiting', detail: '' })
    await harness.jobs.wait(harness.agent, job.id, { timeoutMs: 60_000 })
    await work.end('completed')
    await harness.jobs.wait(harness.agent, job.id, { timeoutMs: 60_000 })
  })

  it('returns what there is when the time is up', async () => {
    const { work, job } = harness.startWork()
    work.handle.output('half')
    expect(await harness.jobs.wait(harness.agent, job.id, { timeoutMs: 1 })).toMatchObject({
      summary: { status: 'running' },
      text: 'half',
    })
  })

  it('rejects with the reason of its signal and reads nothing', async () => {
    const { work, job } = harness.startWork()
    work.handle.output('kept')
    const controller = new AbortController()
    const reason = { exactly: 'this' }
    const waiting = harness.jobs.wait(harness.agent, job.id, { timeoutMs: 60_000, signal: controller.signal })
    controller.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    await expect(
      harness.jobs.wait(harness.agent, job.id, { timeoutMs: 60_000, signal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason)
    expect(harness.jobs.read(harness.agent, job.id).text).toBe('kept')
  })

  it.each([-1, Number.NaN, '5' as unknown as number])('refuses the time %s', async (timeoutMs) => {
    const { job } = harness.startWork()
    await expect(harness.jobs.wait(harness.agent, job.id, { timeoutMs })).rejects.toMatchObject({
      code: 'WAIT_INVALID',
    })
    await expect(harness.jobs.kill(harness.agent, job.id, { timeoutMs })).rejects.toMatchObject({
      code: 'WAIT_INVALID',
    })
    expect(harness.jobs.list(harness.agent)).toMatchObject([{ status: 'running' }])
  })
})

describe('the end of the owner', () => {
  it('stops its jobs, awaits them and leaves others alone', async () => {
    const other = await harness.createAgent()
    const mine = harness.startWork({ onKill: (work) => flush().then(() => work.end('completed')) })
    const theirs = startWork(harness.jobs, other)
    await harness.agent.dispose()
    expect(mine.work.kills).toBe(1)
    expect(harness.events('job/settled')).toMatchObject([{ jobId: mine.job.id, status: 'killed' }])
    expect(harness.jobs.list(harness.agent)).toEqual([])
    expect(theirs.work.kills).toBe(0)
    expect(harness.jobs.list(other)).toMatchObject([{ status: 'running' }])
  })

  it('gives up a job that does not stop in time and reports it', async () => {
    const { work } = harness.startWork({ onKill: () => undefined })
    const error = await harness.agent.dispose().catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'CLEANUP_FAILED', errors: [{ code: 'STOP_FAILED' }] })
    expect(harness.events('job/settled')).toMatchObject([{ status: 'failed' }])
    await work.end('killed')
    expect(harness.events('job/settled')).toHaveLength(1)
  })

  it('reports why a job could not be asked', async () => {
    const cause = new Error('no foreground group')
    harness.startWork({
      onKill: () => {
        throw cause
      },
    })
    const error = await harness.agent.dispose().catch((reason: unknown) => reason)
    expect(error).toMatchObject({ errors: [{ code: 'STOP_FAILED', cause }] })
  })

  it('has no word about jobs that have ended', async () => {
    const { work } = harness.startWork()
    await work.end('completed')
    await harness.agent.dispose()
    expect(work.kills).toBe(0)
  })
})

describe('the end of the service', () => {
  it('refuses new jobs, stops all live ones and awaits them', async () => {
    const { fiber, service } = await mountWithoutTools()
    const other = await harness.createAgent()
    const works = [startWork(service, harness.agent), startWork(service, other)].map(({ work }) => work)
    const ended = fiber.dispose()
    await ended
    expect(works.map(({ kills }) => kills)).toEqual([1, 1])
    expect(() => startWork(service, other)).toThrowError(expect.objectContaining({ code: 'DISPOSED' }))
    expect(service.list(harness.agent)).toEqual([])
    expect(harness.agent.alive && other.alive).toBe(true)
  })

  it('tells the owner of a job that did not stop, once, even when both end together', async () => {
    const { fiber, service } = await mountWithoutTools()
    startWork(service, harness.agent, { onKill: () => undefined })
    const [, error] = await Promise.all([fiber.dispose(), harness.agent.dispose().catch((reason: unknown) => reason)])
    expect(error).toMatchObject({ errors: [{ code: 'STOP_FAILED' }] })
    expect(harness.events('job/settled')).toHaveLength(1)
  })

  async function mountWithoutTools() {
    const scope = harness.ctx.isolate('jobs').isolate('tools')
    const fiber = scope.plugin(jobs, { disposeTimeoutMs: 40 } as jobs.Config)
    await fiber
    const service = scope.get('jobs')
    if (!service) throw new Error('the service is missing')
    return { fiber, service }
  }
})

describe('configuration', () => {
  it.each([
    ['unreadLimitBytes', 1],
    ['noticeLimitBytes', 63],
    ['maxResultBytes', 63],
    ['maxJobsPerOwner', 0],
    ['defaultWaitMs', 3_000_000],
    ['unknown', true],
  ])('names the field %s when it is bad', async (field, value) => {
    const ctx = new Context()
    await expect(async () => {
      await ctx.plugin(jobs, { [field]: value } as unknown as jobs.Config)
    }).rejects.toThrow(field)
    await ctx.fiber.dispose()
  })
})

function bareSpec(): Omit<JobSpec, 'start'> {
  return { kind: 'test', title: 'npm test', owner: harness.agent, outputLimitBytes: 4096 }
}

function startBare(during: (handle: JobHandle) => unknown, done: JobControl['done'] = new Promise(() => undefined)) {
  const job = harness.jobs.start({
    ...bareSpec(),
    start(handle) {
      during(handle)
      return { done, kill: async () => undefined }
    },
  })
  return { job }
}
