/** `ctx.jobs`: jobs by owner. Ids never authorise; the exact owner object does. */
import type { Agent } from '@agent-terminals/agents/contract'
import type { Config } from './config.js'
import type { JobsService } from './contract.js'
import { JobError } from './errors.js'
import { checkSpec, type Job, startJob } from './job.js'
import { limitWait, waitForAttention, within } from './wait.js'

export interface OwnedJobs {
  readonly service: JobsService
  /** Refuse new jobs, stop all live ones and await them. Failures go to their owners. */
  close(): Promise<void>
}

interface OwnerJobs {
  readonly jobs: Map<string, Job>
  /** Leave the owner's scope. */
  readonly leave: () => void
}

/** @throws JobError `OWNER_GONE` when the owner's scope takes nothing more. */
function enterScope(owner: Agent, end: () => Promise<void>): () => Promise<void> {
  try {
    return owner.ctx.effect(() => end, 'jobs')
  } catch (cause) {
    throw new JobError('OWNER_GONE', `Agent ${owner.id} is ending; no job can start.`, { cause })
  }
}

export interface JobsOptions {
  readonly config: Config
  readonly now: () => number
  readonly onError: (error: unknown) => void
}

export function createJobs({ config, now, onError }: JobsOptions): OwnedJobs {
  const owners = new Map<Agent, OwnerJobs>()
  const counters = new Map<string, number>()
  const ends = new WeakMap<Agent, Promise<unknown>>()
  let isClosing = false

  const mintId = (kind: string): string => {
    const count = (counters.get(kind) ?? 0) + 1
    counters.set(kind, count)
    return `${kind}-${count}`
  }

  const find = (owner: Agent, id: string): Job => {
    const job = owners.get(owner)?.jobs.get(id)
    if (!job) throw new JobError('UNKNOWN_JOB', `There is no job ${JSON.stringify(id)}. job_list shows the ids.`)
    return job
  }

  const liveJobs = (owner: Agent): readonly Job[] =>
    [...(owners.get(owner)?.jobs.values() ?? [])].filter((job) => !job.isEnded)

  /** Stop a job and wait. One that does not end in time is given up, told to its owner, and settles as failed. */
  const stopForGood = async (owner: Agent, job: Job): Promise<void> => {
    let cause: unknown
    job.stop().catch((error: unknown) => {
      cause = error
      onError(error)
    })
    if ((await within(job.ended, config.disposeTimeoutMs)) !== 'timeout') return
    const message = `Job ${job.id} did not end within ${config.disposeTimeoutMs} ms.`
    job.abandon(message)
    owner.recordFailure(new JobError('STOP_FAILED', message, { cause }))
  }

  /** The end of an owner and the end of the service may meet: the jobs are stopped once. */
  const stopAll = (owner: Agent): Promise<void> => {
    const stopping = ends.get(owner) ?? Promise.all(liveJobs(owner).map((job) => stopForGood(owner, job)))
    ends.set(owner, stopping)
    return stopping.then(() => undefined)
  }

  const joinOwner = (owner: Agent): OwnerJobs => {
    const known = owners.get(owner)
    if (known) return known
    const end = async () => {
      await stopAll(owner)
      owners.delete(owner)
    }
    const leave = enterScope(owner, end)
    const joined: OwnerJobs = { jobs: new Map(), leave: () => void leave() }
    owners.set(owner, joined)
    return joined
  }

  const assertOpen = (owner: Agent): void => {
    if (isClosing) throw new JobError('DISPOSED', 'The jobs service is shutting down; no job can start.')
    if (!owner.alive) throw new JobError('OWNER_GONE', `Agent ${owner.id} has ended; no job can start.`)
  }

  const forgetOldest = (jobs: Map<string, Job>): void => {
    const ended = [...jobs.values()].filter((job) => job.isEnded)
    for (const job of ended.slice(0, Math.max(0, ended.length - config.endedRetention))) jobs.delete(job.id)
  }

  const service: JobsService = {
    start(spec) {
      checkSpec(spec)
      assertOpen(spec.owner)
      if (liveJobs(spec.owner).length >= config.maxJobsPerOwner) {
        throw new JobError(
          'LIMIT_REACHED',
          `${config.maxJobsPerOwner} jobs are running. Wait for one with job_output or end one with job_kill.`,
        )
      }
      const { jobs } = joinOwner(spec.owner)
      const { unreadLimitBytes, noticeLimitBytes } = config
      const job = startJob({ id: mintId(spec.kind), spec, unreadLimitBytes, noticeLimitBytes, now, onError })
      jobs.set(job.id, job)
      void job.ended.then(() => forgetOldest(jobs))
      // The start itself may have been the moment at which the owner or the service began to end.
      if (isClosing || !spec.owner.alive) void job.stop().catch(onError)
      return job.summarize()
    },

    list: (owner) => [...(owners.get(owner)?.jobs.values() ?? [])].map((job) => job.summarize()),
    read: (owner, id) => find(owner, id).read(),

    async wait(owner, id, { timeoutMs, signal }) {
      const job = find(owner, id)
      await waitForAttention(job, limitWait(timeoutMs, config.maxWaitMs), signal)
      return job.read()
    },

    async kill(owner, id, options = {}) {
      const job = find(owner, id)
      const timeoutMs = limitWait(options.timeoutMs ?? config.killTimeoutMs, config.maxWaitMs)
      if (job.isEnded) return job.summarize()
      const failure = new Promise<JobError>((resolve) => {
        job.stop().catch((cause: unknown) => {
          const reason = cause instanceof Error ? cause.message : String(cause)
          resolve(new JobError('KILL_FAILED', `Job ${id} could not be asked to stop: ${reason}`, { cause }))
        })
      })
      const first = await within(Promise.race([job.ended, failure]), timeoutMs)
      if (first instanceof JobError && !job.isEnded) throw first
      return job.summarize()
    },

    hasActivity: (owner) => liveJobs(owner).length > 0,
  }

  return {
    service,
    async close() {
      isClosing = true
      await Promise.all([...owners.keys()].map(stopAll))
      for (const { leave } of [...owners.values()]) leave()
      owners.clear()
    },
  }
}
