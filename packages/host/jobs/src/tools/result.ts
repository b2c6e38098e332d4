/** Shapes and bounds that the three job tools share. */
import { clipMiddle, joinBlocks } from '@agent-terminals/text'
import type { FinalizeCall, GenericCard, ToolResult } from '@agent-terminals/tools/contract'
import { z } from 'zod'
import type { JobSummary, JobsService } from '../contract.js'

export const JOB_STATUSES = ['running', 'stopping', 'completed', 'killed', 'failed'] as const

export const jobIdSchema = z.string().min(1).max(64).describe('Id of the job, as the call that started it gave it.')

/** One job as data. */
export const jobSchema = z.strictObject({
  jobId: z.string(),
  kind: z.string(),
  title: z.string(),
  status: z.enum(JOB_STATUSES),
  activity: z.strictObject({ kind: z.enum(['working', 'waiting', 'quiet']), detail: z.string() }).optional(),
  startedAt: z.number().describe('Epoch milliseconds.'),
  endedAt: z.number().optional().describe('Epoch milliseconds.'),
})

export function toJobData(summary: JobSummary): z.input<typeof jobSchema> {
  const { id, kind, title, status, activity, startedAt, endedAt } = summary
  return {
    jobId: id,
    kind,
    title,
    status,
    startedAt,
    ...(activity ? { activity: { ...activity } } : {}),
    ...(endedAt === undefined ? {} : { endedAt }),
  }
}

export function createTextResult(text: string, structured: Readonly<Record<string, unknown>>): ToolResult {
  return { content: [{ type: 'text', text }], structured }
}

export function createCard(kind: GenericCard['kind'], title: string, result?: ToolResult): GenericCard {
  const text = result && joinBlocks(result.content)
  return { card: 'generic', kind, title, ...(text ? { text } : {}) }
}

/**
 * Keep a single text within the bound, whatever produced it. Several blocks are a deliberate structure and stay.
 * The job's own cap applies when the call names a job of the caller.
 */
export function createFinalizer(jobs: JobsService, maxResultBytes: number) {
  return (result: ToolResult, { args, agent }: FinalizeCall): ToolResult => {
    const [block] = result.content
    if (result.content.length !== 1 || block?.type !== 'text') return result
    const { jobId } = (args ?? {}) as { readonly jobId?: unknown }
    const job = jobs.list(agent).find(({ id }) => id === jobId)
    const { text } = clipMiddle(block.text, Math.min(maxResultBytes, job?.outputLimitBytes ?? maxResultBytes))
    return { ...result, content: [{ type: 'text', text }] }
  }
}
