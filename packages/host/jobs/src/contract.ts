/** The jobs contract: background operations with one settlement, owned by an exact agent. */
import type { Agent } from '@agent-terminals/agents/contract'
import type {} from '@deepseek-ai/cordis'

/** `running → stopping → completed | killed | failed`; a settled state is final. */
export type JobStatus = 'running' | 'stopping' | 'completed' | 'killed' | 'failed'

/** What a job says about itself right now beside its status: shown by `job_output` and `job_list`, after its kind. */
export interface JobActivity {
  /** `waiting` needs input or a decision; `quiet` is alive without output; `working` without a detail goes without saying. */
  readonly kind: 'working' | 'waiting' | 'quiet'
  readonly detail: string
}

/** How the producer says that the work ended. */
export interface JobSettlement {
  readonly status: 'completed' | 'killed' | 'failed'
  /** Text of the final result, appended after all increments. */
  readonly text: string
}

/** What a producer hands to the registry. */
export interface JobSpec {
  /** Prefix of the id, `<kind>-N`: 1 to 32 of a-z, 0-9 and `-`, a letter first. */
  readonly kind: string
  readonly title: string
  readonly owner: Agent
  /** Cap in UTF-8 bytes on every notice and every read of this job, metadata included. At least 64. */
  readonly outputLimitBytes: number
  /**
   * Start the work. Called once, synchronously, before the id is returned to anyone.
   * Throwing means that there is no job.
   */
  start(handle: JobHandle): JobControl
}

/** The producer's way of feeding its job. Calls after the settlement are ignored. */
export interface JobHandle {
  readonly id: string
  output(text: string): void
  activity(activity: JobActivity): void
}

/** The registry's way of ending the work. Work that was asked to stop and then says `completed` counts as `killed`. */
export interface JobControl {
  /** Settles once, also after `kill`. A rejection is recorded as `failed`. */
  readonly done: Promise<JobSettlement>
  /**
   * Ask the work to stop. Resolves when the request has been delivered, not when the work has ended. Called again for every
   * further request while the work has not ended.
   */
  kill(): Promise<void>
}

export interface JobSummary {
  readonly id: string
  readonly kind: string
  readonly title: string
  readonly status: JobStatus
  readonly activity: JobActivity | undefined
  readonly startedAt: number
  readonly endedAt: number | undefined
  /** The final result, once settled. `read` gives it as well. */
  readonly ending?: string | undefined
  /** The job's own cap, so that whoever wraps its texts can keep it. */
  readonly outputLimitBytes: number
}

/** One incremental read. `renderJobOutput` of it, metadata included, fits the job's `outputLimitBytes`. */
export interface JobOutput {
  readonly summary: JobSummary
  /** New text since the last read by the owner, the final result included once settled. */
  readonly text: string
  /** Bytes of increments that were dropped because nobody read them in time. */
  readonly droppedBytes: number
  /** Bytes that did not fit this read; the next one continues with them. */
  readonly unreadBytes: number
}

/** `ctx.jobs` */
export interface JobsService {
  /** @throws JobError `OWNER_GONE` | `DISPOSED` | `SPEC_INVALID` | `LIMIT_REACHED`, or whatever `start` threw. */
  start(spec: JobSpec): JobSummary
  list(owner: Agent): readonly JobSummary[]
  /** @throws JobError `UNKNOWN_JOB` for foreign and unknown ids alike. */
  read(owner: Agent, id: string): JobOutput
  /**
   * Wait until the job settles, needs attention (`waiting`), or `timeoutMs` has passed; then read. An aborted wait rejects
   * with the signal's reason and has read nothing.
   * @throws JobError `UNKNOWN_JOB` | `WAIT_INVALID`.
   */
  wait(
    owner: Agent,
    id: string,
    options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
  ): Promise<JobOutput>
  /**
   * Ask the job to stop and wait for its settlement, at most `timeoutMs`; `stopping` is the answer when it takes longer.
   * @throws JobError `UNKNOWN_JOB` | `WAIT_INVALID` | `KILL_FAILED`.
   */
  kill(owner: Agent, id: string, options?: { readonly timeoutMs?: number }): Promise<JobSummary>
  hasActivity(owner: Agent): boolean
}

declare module '@deepseek-ai/cordis' {
  interface Context {
    jobs: JobsService
  }
}

declare module '@agent-terminals/agents/contract' {
  interface SessionEventMap {
    /** Written when a job begins to wait for input or a decision, once per wait. `text` is bounded like that of `job/settled`. */
    'job/waiting': { readonly jobId: string; readonly text: string }
    /** Written exactly once per job, when it settles. `text` is bounded by the job's `outputLimitBytes`. */
    'job/settled': { readonly jobId: string; readonly status: JobStatus; readonly text: string }
  }
}
