/** The work behind a job: one send after another until the program has ended, needs an answer, or is killed. */
import type { JobControl } from '@agent-terminals/jobs/contract'
import { type SendRequest, TerminalError, type TerminalErrorCode, type TerminalSend } from '@agent-terminals/terminal'
import { renderReason } from '../result/cancelled.js'
import { submits, typedText } from '../tools/send-schema.js'
import { asSessionId } from '../tools/toolkit.js'
import { attendProgram } from './attend.js'
import { describeActivity, followSend, type JobEnd } from './follow.js'
import { createIncrements, type Increments } from './increments.js'
import { type BackgroundJob, interruptProgram, settleJob } from './job.js'

/** @throws what `ctx.terminals.send` refuses the first send with, in this very call. */
export function startJobWork(job: BackgroundJob): JobControl {
  const kill = new AbortController()
  const { keys } = job.args
  const limit = createLimit(job)
  const input = { text: typedText(job.args), submit: submits(job.args), ...(keys === undefined ? {} : { keys }) }
  const first = beginSend(job, input, kill.signal, limit)
  const done = followJob(job, first, kill.signal, limit).then((end) => settleJob(job, end))
  return {
    done,
    // The work settles as soon as the interruption has been delivered.
    kill: async () => {
      kill.abort(new Error('the job was killed'))
      await done
    },
  }
}

/** The caller's own time limit for the whole job. Without one a job lasts as long as its program. */
interface Limit {
  /** Milliseconds left for a send, at least 1. */
  remainingMs(): number | undefined
  isUp(): boolean
}

function createLimit({ kit, args: { timeoutMs } }: BackgroundJob): Limit {
  if (timeoutMs === undefined) return { remainingMs: () => undefined, isUp: () => false }
  const deadline = kit.now() + timeoutMs
  return {
    remainingMs: () => Math.max(1, Math.ceil(deadline - kit.now())),
    isUp: () => kit.now() >= deadline,
  }
}

interface RunningSend {
  readonly send: TerminalSend
  readonly increments: Increments
}

function beginSend(
  { kit, args, owner, handle }: BackgroundJob,
  request: Pick<SendRequest, 'text' | 'submit' | 'keys'>,
  signal: AbortSignal,
  limit: Limit,
): RunningSend {
  const timeoutMs = limit.remainingMs()
  const increments = createIncrements((text) => handle.output(text))
  const send = kit.terminals.send(owner, asSessionId(args.sessionId), {
    ...request,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    signal,
    onText: (text) => increments.push(text),
    onState: (progress) => {
      const activity = describeActivity(progress)
      // That it needs an answer is for the verdict to say: a question may still be half printed.
      if (activity.kind !== 'waiting') handle.activity(activity)
    },
  })
  return { send, increments }
}

/** Why a job cannot wait with a send of its own, where that needs no advice: it goes on all the same. */
const HELD_BY: Partial<Record<TerminalErrorCode, string>> = {
  SEND_ACTIVE: 'another send uses its terminal',
  CLAIMED_BY_CLIENT: 'a person has the keyboard of its terminal',
}

async function followJob(job: BackgroundJob, first: RunningSend, kill: AbortSignal, limit: Limit): Promise<JobEnd> {
  let running = first
  while (true) {
    const outcome = await running.send.outcome
    if (outcome.kind === 'settled') running.increments.finish(outcome.result.viewport)
    if (outcome.kind === 'cancelled') running.increments.finish(outcome.viewport)
    const step = followSend(outcome, {
      isKillRequested: kill.aborted,
      isWaitingOnly: running !== first,
      isTimeUp: limit.isUp(),
      previousCwd: job.previousCwd,
    })
    switch (step.kind) {
      case 'settle':
        return step
      case 'interrupt':
        return await interruptProgram(job)
      case 'attend':
        job.handle.activity(step.activity)
        return await attendProgram(job, kill)
      case 'wait':
        job.handle.activity(step.activity)
        try {
          running = beginSend(job, { text: '', submit: false }, kill, limit)
        } catch (error) {
          // Somebody else has the terminal now, or it is gone: its end can still be watched.
          if (!(error instanceof TerminalError)) throw error
          job.handle.activity({ kind: 'working', detail: HELD_BY[error.code] ?? renderReason(error) })
          return await attendProgram(job, kill)
        }
    }
  }
}
