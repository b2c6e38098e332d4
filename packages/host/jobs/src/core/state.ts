/** The states of a job and every way they change. Pure. */

export type JobOutcome = 'completed' | 'killed' | 'failed'

export interface Activity {
  readonly kind: 'working' | 'waiting' | 'quiet'
  readonly detail: string
}

export type JobState =
  | { readonly status: 'running'; readonly startedAt: number; readonly activity: Activity | undefined }
  | {
      readonly status: 'stopping'
      readonly startedAt: number
      readonly activity: Activity | undefined
      readonly stoppingSince: number
    }
  | { readonly status: JobOutcome; readonly startedAt: number; readonly endedAt: number }

export type JobEvent =
  | { readonly type: 'activity'; readonly activity: Activity }
  | { readonly type: 'stop'; readonly at: number }
  | { readonly type: 'settle'; readonly at: number; readonly status: JobOutcome; readonly text: string }

export type JobEffect =
  | { readonly type: 'deliver-kill' }
  | { readonly type: 'announce-waiting'; readonly detail: string }
  | { readonly type: 'announce-settled'; readonly status: JobOutcome; readonly text: string }

export interface JobStep {
  readonly state: JobState
  readonly effects: readonly JobEffect[]
}

export type EndedState = Extract<JobState, { readonly endedAt: number }>

export function isEnded(state: JobState): state is EndedState {
  return 'endedAt' in state
}

/** Whether whoever waits for the job should look now. */
export function needsAttention(state: JobState): boolean {
  return isEnded(state) || state.activity?.kind === 'waiting'
}

export function startState(at: number): JobState {
  return { status: 'running', startedAt: at, activity: undefined }
}

/** An ended job takes no event: it settles once. */
export function step(state: JobState, event: JobEvent): JobStep {
  if (isEnded(state)) return { state, effects: [] }
  switch (event.type) {
    case 'activity':
      return { state: { ...state, activity: event.activity }, effects: announceWaiting(state, event.activity) }
    case 'stop':
      return { state: stopping(state, event.at), effects: [{ type: 'deliver-kill' }] }
    case 'settle': {
      // Work that was asked to stop and then ends has been killed, whatever it says about itself; that it failed to stop is news.
      const status = state.status === 'stopping' && event.status === 'completed' ? 'killed' : event.status
      return {
        state: { status, startedAt: state.startedAt, endedAt: event.at },
        effects: [{ type: 'announce-settled', status, text: event.text }],
      }
    }
  }
}

function stopping(state: Exclude<JobState, EndedState>, at: number): JobState {
  if (state.status === 'stopping') return state
  return { status: 'stopping', startedAt: state.startedAt, activity: state.activity, stoppingSince: at }
}

/** One notice per wait: the same wait told again is not another. A job that is being stopped needs no answer. */
function announceWaiting(state: Exclude<JobState, EndedState>, { kind, detail }: Activity): readonly JobEffect[] {
  const isNews = state.status === 'running' && kind === 'waiting' && state.activity?.kind !== 'waiting'
  return isNews ? [{ type: 'announce-waiting', detail }] : []
}
