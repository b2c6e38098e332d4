/** What the parts of a background send pass to each other. */
import { setTimeout } from 'node:timers/promises'
import type { Agent } from '@agent-terminals/agents/contract'
import type { JobHandle, JobSettlement } from '@agent-terminals/jobs/contract'
import { cancelledFacts, renderReason } from '../result/cancelled.js'
import { composeText, type Fact } from '../result/compose.js'
import { remainingFacts } from '../result/remaining.js'
import type { SendArguments } from '../tools/send-schema.js'
import { asSessionId, findRemaining, findSession, type Toolkit } from '../tools/toolkit.js'
import type { JobEnd } from './follow.js'

/** Time in which an interrupted program has ended, if it ends. */
const DYING_MS = 150

export interface BackgroundJob {
  readonly kit: Toolkit
  readonly args: SendArguments
  readonly owner: Agent
  readonly handle: JobHandle
  /** Working directory before the job, when it was known. */
  readonly previousCwd: string | undefined
}

export const sessionOf = ({ kit, owner, args }: Pick<BackgroundJob, 'kit' | 'owner' | 'args'>) =>
  findSession(kit, owner, args.sessionId)

/** The last word of a job: how its program ended, and what of it lives on. */
export async function settleJob(job: BackgroundJob, end: JobEnd): Promise<JobSettlement> {
  const facts = [...end.facts, ...(await listRemaining(job, end))]
  return { status: end.status, text: composeText('', facts, job.kit.config.maxResultBytes).text }
}

async function listRemaining({ kit, owner, args }: BackgroundJob, end: JobEnd): Promise<readonly Fact[]> {
  if (end.livesOn !== undefined) return []
  const found = await findRemaining(kit, owner, args.sessionId)
  if (found.length === 0 || end.status !== 'killed') return remainingFacts(found)
  // What has just been interrupted may still be on its way out.
  await setTimeout(DYING_MS)
  return remainingFacts(await findRemaining(kit, owner, args.sessionId))
}

/** Deliver a real SIGINT to whatever is in the foreground now. */
export async function interruptProgram({ kit, owner, args }: BackgroundJob): Promise<JobEnd> {
  try {
    const { targetPgid } = await kit.terminals.signal(owner, asSessionId(args.sessionId), 'SIGINT')
    return { status: 'killed', facts: cancelledFacts('killed', { delivered: 'SIGINT', targetPgid }) }
  } catch (error) {
    const text = `the program could not be interrupted: ${renderReason(error)}`
    return { status: 'failed', facts: [{ text, isEssential: true }] }
  }
}
