/** The work behind a job: one send after another until the program has ended, needs an answer, or is killed. */
import type { JobControl } from '@agent-terminals/jobs/contract'
import { type SendRequest, TerminalError, type TerminalSend } from '@agent-terminals/terminal'
import { renderReason } from '../result/cancelled.js'
import { asSessionId } from '../tools/toolkit.js'
import { attendProgram } from './attend.js'
import { describeActivity, followSend, type JobEnd } from './follow.js'
import { createIncrements, type Increments } from './increments.js'
import { type BackgroundJob, interruptProgram, settlementOf } from './job.js'

/** @throws what `ctx.terminals.send` refuses the first send with, in this very call. */
export function startJobWork(job: BackgroundJob): JobControl {
  const kill = new AbortController()
  const { text, submit = true } = job.args
  const first = beginSend(job, { text, submit }, kill.signal, 0)
  const done = followJob(job, first, kill.signal).then((end) => settlementOf(job, end))
  return {
    done,
    // The work settles as soon as the interruption has been delivered.
    kill: async () => {
      kill.abort(new Error('the job was killed'))
      await done
    },
  }
}

interface RunningSend {
  readonly send: TerminalSend
  readonly increments: Increments
}

function beginSend(
  { kit, args, owner, handle }: BackgroundJob,
  request: Pick<SendRequest, 'text' | 'submit'>,
  signal: AbortSignal,
  waitedMs: number,
): RunningSend {
  const increments = createIncrements((text) => handle.output(text))
  const send = kit.terminals.send(owner, asSessionId(args.sessionId), {
    ...request,
    ...(args.timeoutMs === undefined ? {} : { timeoutMs: Math.max(1, Math.ceil(args.timeoutMs - waitedMs)) }),
    signal,
    onText: (text) => increments.push(text),
    onState: (progress) => handle.activity(describeActivity(progress)),
  })
  return { send, increments }
}

async function followJob(job: BackgroundJob, first: RunningSend, kill: AbortSignal): Promise<JobEnd> {
  let running = first
  let waitedMs = 0
  while (true) {
    const outcome = await running.send.outcome
    if (outcome.kind === 'settled') {
      waitedMs += outcome.result.elapsedMs
      running.increments.finish(outcome.result.viewport)
    } else if (outcome.kind === 'cancelled') {
      running.increments.finish(outcome.viewport)
    }
    const { timeoutMs } = job.args
    const step = followSend(outcome, {
      isKillRequested: kill.aborted,
      isWaitingOnly: running !== first,
      isTimeUp: timeoutMs !== undefined && waitedMs >= timeoutMs,
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
        try {
          running = beginSend(job, { text: '', submit: false }, kill, waitedMs)
        } catch (error) {
          // Somebody else has the terminal now, or it is gone: its end can still be watched.
          if (!(error instanceof TerminalError)) throw error
          job.handle.activity({ kind: 'working', detail: renderReason(error) })
          return await attendProgram(job, kill)
        }
    }
  }
}
