/** What the parts of a background send pass to each other. */
import type { Agent } from '@agent-terminals/agents/contract'
import type { JobHandle, JobSettlement } from '@agent-terminals/jobs/contract'
import { cancelledFacts, renderReason } from '../result/cancelled.js'
import { composeText } from '../result/compose.js'
import type { SendArguments } from '../tools/send-schema.js'
import { asSessionId, findSession, type Toolkit } from '../tools/toolkit.js'
import type { JobEnd } from './follow.js'

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

export function settlementOf(job: BackgroundJob, { status, facts }: JobEnd): JobSettlement {
  return { status, text: composeText('', facts, job.kit.config.maxResultBytes).text }
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
