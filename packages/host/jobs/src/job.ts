/** One job: performs what `step` decides, and keeps what nobody has read. */
import { clipMiddle } from '@agent-terminals/text'
import type { JobControl, JobHandle, JobOutput, JobSettlement, JobSpec, JobSummary } from './contract.js'
import {
  isEnded,
  type JobEffect,
  type JobEvent,
  type JobState,
  needsAttention,
  startState,
  step,
} from './core/state.js'
import { UnreadOutput } from './core/unread.js'
import { JobError } from './errors.js'
import { renderLine, renderSettledNotice, renderWaitingNotice, roomForOutput } from './render.js'

export interface JobOptions {
  readonly id: string
  readonly spec: JobSpec
  readonly unreadLimitBytes: number
  readonly noticeLimitBytes: number
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Told about a notice that the session log refused. */
  readonly onError: (error: unknown) => void
}

export interface Job {
  readonly id: string
  readonly isEnded: boolean
  readonly needsAttention: boolean
  /** Resolves when the job has ended, whatever ended it. */
  readonly ended: Promise<void>
  summarize(): JobSummary
  read(): JobOutput
  /** Ask the work to stop. @returns the delivery of the request; requests that overlap share one. */
  stop(): Promise<void>
  /** End the job without its producer, which is not heard any more. */
  abandon(text: string): void
  /** Be told when the job needs attention. @returns a release. */
  onAttention(listener: () => void): () => void
}

/** Start the work. @throws whatever `start` throws; then there is no job. */
export function startJob(options: JobOptions): Job {
  const { id, spec } = options
  const title = renderLine(spec.title)
  const unread = new UnreadOutput(options.unreadLimitBytes)
  const listeners = new Set<() => void>()
  const noticeBytes = Math.min(options.noticeLimitBytes, spec.outputLimitBytes)
  let state: JobState = startState(options.now())
  let control: JobControl | undefined
  let delivery: Promise<void> | undefined
  let ending: string | undefined
  let markEnded: () => void = () => undefined
  const ended = new Promise<void>((resolve) => {
    markEnded = resolve
  })

  const dispatch = (event: JobEvent): void => {
    const next = step(state, event)
    state = next.state
    for (const effect of next.effects) perform(effect)
    if (!needsAttention(state)) return
    for (const listener of [...listeners]) listener()
  }

  const announce = (append: () => unknown): void => {
    try {
      append()
    } catch (error) {
      options.onError(error)
    }
  }

  const perform = (effect: JobEffect): void => {
    const { session } = spec.owner
    switch (effect.type) {
      case 'deliver-kill':
        delivery ??= deliverKill()
        break
      case 'announce-waiting':
        announce(() =>
          session.append('job/waiting', { jobId: id, text: renderWaitingNotice(id, effect.detail, noticeBytes) }),
        )
        break
      case 'announce-settled': {
        const text = clipMiddle(effect.text, spec.outputLimitBytes).text
        ending = text
        unread.finish(text)
        const notice = { id, title, status: effect.status, text, unreadBytes: unread.bytes }
        announce(() =>
          session.append('job/settled', {
            jobId: id,
            status: effect.status,
            text: renderSettledNotice(notice, noticeBytes),
          }),
        )
        markEnded()
      }
    }
  }

  const deliverKill = async (): Promise<void> => {
    try {
      await control?.kill()
    } finally {
      delivery = undefined
    }
  }

  const summarize = (): JobSummary =>
    Object.freeze({
      id,
      kind: spec.kind,
      title,
      status: state.status,
      activity: isEnded(state) ? undefined : state.activity,
      startedAt: state.startedAt,
      endedAt: isEnded(state) ? state.endedAt : undefined,
      ending,
      outputLimitBytes: spec.outputLimitBytes,
    })

  const handle: JobHandle = Object.freeze({
    id,
    output(text: string) {
      if (!isEnded(state)) unread.append(text)
    },
    activity({ kind, detail }) {
      dispatch({ type: 'activity', activity: Object.freeze({ kind, detail: renderLine(detail) }) })
    },
  } satisfies JobHandle)

  const settle = (settlement: JobSettlement) =>
    dispatch({ type: 'settle', at: options.now(), ...checkSettlement(settlement) })

  control = spec.start(handle)
  Promise.resolve(control.done).then(settle, (error: unknown) =>
    settle({ status: 'failed', text: error instanceof Error ? error.message : String(error) }),
  )

  return {
    id,
    ended,
    get isEnded() {
      return isEnded(state)
    },
    get needsAttention() {
      return needsAttention(state)
    },
    summarize,
    read() {
      const summary = summarize()
      const room = roomForOutput(summary, { droppedBytes: unread.droppedBytes, unreadBytes: unread.bytes })
      const { text, droppedBytes } = unread.take(room)
      return Object.freeze({ summary, text, droppedBytes, unreadBytes: unread.bytes })
    },
    stop() {
      dispatch({ type: 'stop', at: options.now() })
      return delivery ?? Promise.resolve()
    },
    abandon(text) {
      settle({ status: 'failed', text })
    },
    onAttention(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

function checkSettlement(value: JobSettlement): JobSettlement {
  const { status, text } = (value ?? {}) as Partial<JobSettlement>
  const isKnown = status === 'completed' || status === 'killed' || status === 'failed'
  if (isKnown && typeof text === 'string') return { status, text }
  return { status: 'failed', text: 'The job ended without saying how.' }
}

const KIND = /^[a-z][a-z0-9-]{0,31}$/

/** @throws JobError `SPEC_INVALID` naming the field. */
export function checkSpec({ kind, title, outputLimitBytes }: JobSpec): void {
  const refuse = (problem: string) => new JobError('SPEC_INVALID', `The job was not started: ${problem}.`)
  if (!KIND.test(kind))
    throw refuse(`kind must be 1 to 32 of a-z, 0-9 and "-", a letter first, not ${JSON.stringify(kind)}`)
  if (typeof title !== 'string') throw refuse('title must be a text')
  if (!Number.isInteger(outputLimitBytes) || outputLimitBytes < 64) {
    throw refuse(`outputLimitBytes must be a whole number of at least 64, not ${outputLimitBytes}`)
  }
}
