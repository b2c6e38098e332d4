import type { ToolDefinition } from '@agent-terminals/tools/contract'
import { z } from 'zod'
import type { Config } from '../config.js'
import type { JobsService } from '../contract.js'
import { renderKilled } from '../render.js'
import { createCard, createFinalizer, createTextResult, jobIdSchema, jobSchema, toJobData } from './result.js'

/** `job_kill`: ask a job to stop and say what became of it. */
export function defineJobKill(jobs: JobsService, config: Config) {
  const input = z.object({ jobId: jobIdSchema })
  const output = jobSchema.extend({
    ending: z.string().optional().describe('The final result, when the job has ended.'),
  })
  return {
    name: 'job_kill',
    description: 'Stop a background job and wait briefly for its end. Its output can still be read with job_output.',
    input,
    output,
    effects: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    async execute({ jobId }, { agent }) {
      const summary = await jobs.kill(agent, jobId)
      const { ending } = summary
      return createTextResult(renderKilled(summary), {
        ...toJobData(summary),
        ...(ending === undefined ? {} : { ending }),
      })
    },
    presentCall: ({ jobId }) => createCard('execute', `Stop ${jobId}`),
    presentResult: ({ jobId }, result) => createCard('execute', `Stop ${jobId}`, result),
    finalizeContent: createFinalizer(jobs, config.maxResultBytes),
  } satisfies ToolDefinition<typeof input, typeof output>
}
