import type { ToolDefinition } from '@agent-terminals/tools/contract'
import { z } from 'zod'
import type { Config } from '../config.js'
import type { JobsService } from '../contract.js'
import { renderList } from '../render.js'
import { createCard, createFinalizer, createTextResult, jobSchema, toJobData } from './result.js'

/** `job_list`: the caller's jobs, running and ended. */
export function defineJobList(jobs: JobsService, config: Config, now: () => number) {
  const input = z.object({})
  const output = z.strictObject({ jobs: z.array(jobSchema) })
  return {
    name: 'job_list',
    description: 'List your background jobs with their status, running ones and those that ended recently.',
    input,
    output,
    effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    async execute(_args, { agent }) {
      const summaries = jobs.list(agent)
      const { text, shown } = renderList(summaries, now(), config.maxResultBytes)
      return createTextResult(text, { jobs: summaries.slice(0, shown).map(toJobData) })
    },
    presentCall: () => createCard('read', 'Jobs'),
    presentResult: (_args, result) => createCard('read', 'Jobs', result),
    finalizeContent: createFinalizer(jobs, config.maxResultBytes),
  } satisfies ToolDefinition<typeof input, typeof output>
}
