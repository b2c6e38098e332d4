/** What a job does once one of its sends has come to an outcome. Pure: `start.ts` performs it. */
import type { JobActivity, JobSettlement } from '@agent-terminals/jobs/contract'
import {
  type SendOutcome,
  type SendProgress,
  type SendResult,
  type SessionStatus,
  TerminalError,
  type TerminalState,
} from '@agent-terminals/terminal'
import { cancelledFacts, renderReason } from '../result/cancelled.js'
import { cleanLine } from '../result/clean.js'
import type { Fact } from '../result/compose.js'
import { sendFacts } from '../result/send.js'
import { renderStatus } from '../result/words.js'

export type JobStep =
  /** The program works on without needing anything: wait for it again. */
  | { readonly kind: 'wait'; readonly activity: JobActivity }
  /** The program needs an answer: give the keyboard free and watch for its end. */
  | { readonly kind: 'attend'; readonly activity: JobActivity }
  /** The kill came too late for the send, or while nothing of it had been written: signal the program itself. */
  | { readonly kind: 'interrupt' }
  | ({ readonly kind: 'settle' } & JobEnd)

/** How a job ends. */
export interface JobEnd {
  readonly status: JobSettlement['status']
  readonly facts: readonly Fact[]
  /** What lives on, where that is known without a look: the program itself, or nothing, because the terminal is being closed. */
  readonly livesOn?: 'program' | 'nothing'
}

export interface JobPolicy {
  /** Whether somebody has asked for the end of the job. */
  readonly isKillRequested: boolean
  /** Whether an earlier send of the job has started a program that this one only waits for. */
  readonly isWaitingOnly: boolean
  /** Whether the caller's own time limit has passed. */
  readonly isTimeUp: boolean
  /** Working directory before the job, when it was known. */
  readonly previousCwd: string | undefined
}

export function followSend(outcome: SendOutcome, policy: JobPolicy): JobStep {
  switch (outcome.kind) {
    case 'settled':
      return followResult(outcome.result, policy)
    case 'cancelled': {
      if (
        policy.isWaitingOnly &&
        outcome.interruption.delivered === 'none' &&
        outcome.sessionStatus.kind === 'running'
      ) {
        return { kind: 'interrupt' }
      }
      const label = policy.isKillRequested ? 'killed' : `killed: ${renderReason(outcome.reason)}`
      const status = outcome.interruption.delivered === 'failed' ? 'failed' : 'killed'
      const facts = cancelledFacts(label, outcome.interruption, outcome.sessionStatus)
      return { kind: 'settle', status, facts, ...(isClosing(outcome.reason) ? { livesOn: 'nothing' } : {}) }
    }
    case 'failed':
      return {
        kind: 'settle',
        status: 'failed',
        facts: [{ text: `failed: ${renderReason(outcome.error)}`, isEssential: true }],
      }
  }
}

const isClosing = (reason: unknown) => reason instanceof TerminalError && reason.code === 'SESSION_CLOSING'

function followResult(result: SendResult, policy: JobPolicy): JobStep {
  const { previousCwd } = policy
  const facts = sendFacts(result, {
    canRunInBackground: false,
    isClaimedByClient: false,
    ...(previousCwd === undefined ? {} : { previousCwd }),
  })
  if (policy.isKillRequested && (isWorking(result.state) || needsAnswer(result.state))) return { kind: 'interrupt' }
  const activity = describeActivity({ state: result.state, lastLine: lastLineOf(result) })
  if (isWorking(result.state) && !policy.isTimeUp) return { kind: 'wait', activity }
  if (isWorking(result.state)) return { kind: 'settle', status: 'failed', facts, livesOn: 'program' }
  if (needsAnswer(result.state)) return { kind: 'attend', activity }
  return { kind: 'settle', status: isSuccess(result) ? 'completed' : 'failed', facts }
}

const isWorking = (state: TerminalState) => state === 'busy' || state === 'quiet'
const needsAnswer = (state: TerminalState) =>
  state === 'line' || state === 'hidden' || state === 'key' || state === 'continuation' || state === 'fullscreen'

/** Success is an end without a bad code. A stopped program has not ended. */
function isSuccess({ state, sessionStatus, exitCode }: SendResult): boolean {
  if (state === 'stopped' || sessionStatus.kind === 'signalled') return false
  if (sessionStatus.kind === 'exited') return sessionStatus.exitCode === 0
  return exitCode === undefined || exitCode === 0
}

const lastLineOf = (result: SendResult) => result.viewport.text.slice(result.viewport.text.lastIndexOf('\n') + 1)

/** End of the terminal itself, or of a command in it. */
export function endOf(status: SessionStatus): JobEnd {
  const isClean = status.kind === 'exited' && status.exitCode === 0
  return {
    status: isClean ? 'completed' : 'failed',
    facts: [
      { text: `the terminal has ended (${renderStatus(status)})`, short: renderStatus(status), isEssential: true },
    ],
  }
}

const WAITS_FOR: Partial<Record<TerminalState, string>> = {
  line: 'for a line of input; answer with terminal_send',
  hidden: 'for hidden input; let a person type it',
  key: 'for a single key; answer with terminal_send and submit false',
  continuation: 'for the rest of an unfinished command; send it with terminal_send',
  fullscreen: 'in a full-screen program; leave it with terminal_send',
}

/** The state of a send in flight, as a job tells it: with the question, when a program asks one. */
export function describeActivity({ state, lastLine }: Pick<SendProgress, 'state' | 'lastLine'>): JobActivity {
  const waitsFor = WAITS_FOR[state]
  if (waitsFor !== undefined) {
    const question = cleanLine(lastLine)
    return { kind: 'waiting', detail: question === '' ? waitsFor : `${waitsFor}: ${question}` }
  }
  if (state === 'quiet') return { kind: 'quiet', detail: 'alive, silent and reading no input' }
  return { kind: 'working', detail: '' }
}
