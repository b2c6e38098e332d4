import type { ToolDefinition } from '@agent-terminals/tools/contract'
import { z } from 'zod'
import type { Config } from '../config.js'
import type { JobsService } from '../contract.js'
import { renderJobOutput } from '../render.js'
import { createCard, createFinalizer, createTextResult, jobIdSchema, jobSchema, toJobData } from './result.js'

/** `job_output`: what a job has said since the last look, and how it stands. */
export function defineJobOutput(jobs: JobsService, config: Config) {
  const input = z.object({
    jobId: jobIdSchema,
    wait: z
      .boolean()
      .optional()
      .describe('Wait until the job ends or needs an answer, or the time is up. Default: look and return at once.'),
    timeoutMs: z
      .int()
      .min(0)
      .max(config.maxWaitMs)
      .optional()
      .describe(`Longest wait in milliseconds. Default ${config.defaultWaitMs}. Means nothing without wait.`),
  })
  const output = jobSchema.extend({
    text: z.string().describe('New output, with the final result once the job has ended.'),
    droppedBytes: z.int().describe('Bytes of older output that nobody read in time.'),
    unreadBytes: z.int().describe('Bytes left for the next call.'),
  })
  return {
    name: 'job_output',
    description:
      'Read the output of a background job since the last call, and its status. With wait: true it waits for the end of ' +
      'the job, or for the moment at which it needs an answer.',
    input,
    output,
    effects: { readOnly: true, destructive: false, idempotent: false, openWorld: false },
    async execute({ jobId, wait, timeoutMs }, { agent, signal }) {
      const read = wait
        ? await jobs.wait(agent, jobId, { timeoutMs: timeoutMs ?? config.defaultWaitMs, signal })
        : jobs.read(agent, jobId)
      const { text, droppedBytes, unreadBytes } = read
      return createTextResult(renderJobOutput(read), { ...toJobData(read.summary), text, droppedBytes, unreadBytes })
    },
    presentCall: ({ jobId }) => createCard('read', `Output of ${jobId}`),
    presentResult: ({ jobId }, result) => createCard('read', `Output of ${jobId}`, result),
    finalizeContent: createFinalizer(jobs, config.maxResultBytes),
  } satisfies ToolDefinition<typeof input, typeof output>
}
