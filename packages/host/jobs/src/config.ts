import { z } from 'zod'

const waitMs = (max: number) => z.int().min(0).max(max)

export const Config = z
  .strictObject({
    /** Most UTF-8 bytes of increments kept per job until somebody reads them; the oldest go first and are counted. */
    unreadLimitBytes: z.int().min(64).default(262_144),
    /** Most UTF-8 bytes of one notice in the session log. The job's own `outputLimitBytes` applies as well. */
    noticeLimitBytes: z.int().min(64).default(2048),
    /** Most UTF-8 bytes of one result of the job tools. The job's own `outputLimitBytes` applies as well. */
    maxResultBytes: z.int().min(64).default(262_144),
    /** How long `job_output` waits when asked to wait without a time, in milliseconds. */
    defaultWaitMs: waitMs(3_600_000).default(30_000),
    /** Longest wait anybody can ask for, in milliseconds. */
    maxWaitMs: waitMs(3_600_000).default(600_000),
    /** How long `job_kill` waits for the end of the job, in milliseconds. */
    killTimeoutMs: waitMs(600_000).default(10_000),
    /** How long the end of an owner or of the service waits for its jobs to stop, in milliseconds. */
    disposeTimeoutMs: waitMs(600_000).default(15_000),
    /** Live jobs per owner. */
    maxJobsPerOwner: z.int().min(1).default(32),
    /** Ended jobs kept per owner so that their output can still be read; the oldest go first. */
    endedRetention: z.int().min(1).default(64),
  })
  .refine(({ defaultWaitMs, maxWaitMs }) => defaultWaitMs <= maxWaitMs, {
    path: ['defaultWaitMs'],
    message: 'defaultWaitMs must not be longer than maxWaitMs',
  })
  .prefault({})
export type Config = z.output<typeof Config>
