/** A background send: the reservation is taken before the job's id exists, then the job follows the program to its end. */
import type { JobsService } from '@agent-terminals/jobs/contract'
import type { ToolExecution, ToolResult } from '@agent-terminals/tools/contract'
import { ToolTerminalError } from '../errors.js'
import type { SendArguments } from '../tools/send-schema.js'
import { sendTitle } from '../tools/send-title.js'
import { findSession, reply, type Toolkit } from '../tools/toolkit.js'
import { startJobWork } from './work.js'

export const JOB_KIND = 'terminal'

/** @throws ToolTerminalError `NO_JOB_SURFACE`, or why the send was refused; nothing has been written then. */
export function startBackgroundSend(kit: Toolkit, args: SendArguments, exec: ToolExecution): ToolResult {
  const jobs = requireJobs(kit)
  const previousCwd = findSession(kit, exec.agent, args.sessionId)?.cwd
  const job = jobs.start({
    kind: JOB_KIND,
    // A title is kept and shown: it is made of what may be.
    title: sendTitle(exec.keptArgs as SendArguments),
    owner: exec.agent,
    outputLimitBytes: kit.config.maxResultBytes,
    start: (handle) => startJobWork({ kit, args, owner: exec.agent, handle, previousCwd }),
  })
  const text = `job ${job.id} is sending to ${args.sessionId}; job_output with wait collects its output, job_kill interrupts it`
  return reply(kit, '', [{ text, short: `job ${job.id}`, isEssential: true }], () => ({
    sessionId: args.sessionId,
    jobId: job.id,
  }))
}

function requireJobs(kit: Toolkit): JobsService {
  const jobs = kit.findJobs()
  if (jobs !== undefined) return jobs
  throw new ToolTerminalError(
    'NO_JOB_SURFACE',
    'No job service is mounted, so run_in_background cannot work here. Nothing was written. Send without it, and wait on with text "" and submit false.',
  )
}
