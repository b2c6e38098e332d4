import type { ToolDefinition } from '@agent-terminals/tools/contract'
import { z } from 'zod'
import type { Config } from '../config.js'
import type { JobsService } from '../contract.js'
import { createCard, createFinalizer, createTextResult, jobIdSchema, jobSchema, toJobData } from './result.js'

/** `job_kill`: ask a job to stop and say what became of it. */
export function defineJobKill(jobs: JobsService, config: Config) {
  const input = z.object({ jobId: jobIdSchema })
  return {
    name: 'job_kill',
    description: 'Stop a background job and wait briefly for its end. Its output can still be read with job_output.',
    input,
    output: jobSchema,
    effects: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    async execute({ jobId }, { agent }) {
      const summary = await jobs.kill(agent, jobId)
      const facts = [`[job ${summary.id}: ${summary.status}]`]
      if (summary.status === 'stopping') facts.push('[not ended yet: job_output with wait, or job_kill again]')
      return createTextResult(facts.join('\n'), toJobData(summary))
    },
    presentCall: ({ jobId }) => createCard('execute', `Stop ${jobId}`),
    presentResult: ({ jobId }, result) => createCard('execute', `Stop ${jobId}`, result),
    finalizeContent: createFinalizer(jobs, config.maxResultBytes),
  } satisfies ToolDefinition<typeof input, typeof jobSchema>
}
