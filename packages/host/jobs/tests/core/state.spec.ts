import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isEnded, type JobEvent, type JobState, needsAttention, startState, step } from '../../src/core/state.js'

const working = { type: 'activity', activity: { kind: 'working', detail: '' } } as const
const waiting = { type: 'activity', activity: { kind: 'waiting', detail: 'name? ' } } as const
const stop = { type: 'stop', at: 5 } as const
const settle = (status: 'completed' | 'killed' | 'failed') => ({ type: 'settle', at: 9, status, text: 'end' }) as const

/** Statuses and effects of a run of events. */
function play(...events: JobEvent[]) {
  let state: JobState = startState(1)
  const effects = events.flatMap((event) => {
    const next = step(state, event)
    state = next.state
    return next.effects
  })
  return {
    state,
    effects: effects.map((effect) => ('status' in effect ? `${effect.type} ${effect.status}` : effect.type)),
  }
}

describe('step', () => {
  it.each([
    ['an end', [settle('completed')], 'completed', ['announce-settled completed']],
    ['a failure', [settle('failed')], 'failed', ['announce-settled failed']],
    ['an end by somebody else', [settle('killed')], 'killed', ['announce-settled killed']],
    ['a request to stop', [stop], 'stopping', ['deliver-kill']],
    ['a second request', [stop, stop], 'stopping', ['deliver-kill', 'deliver-kill']],
    [
      'a completion after a request',
      [stop, settle('completed')],
      'killed',
      ['deliver-kill', 'announce-settled killed'],
    ],
    ['a kill after a request', [stop, settle('killed')], 'killed', ['deliver-kill', 'announce-settled killed']],
    ['a failure to stop', [stop, settle('failed')], 'failed', ['deliver-kill', 'announce-settled failed']],
    ['a second end', [settle('failed'), settle('completed')], 'failed', ['announce-settled failed']],
    ['a request after the end', [settle('completed'), stop], 'completed', ['announce-settled completed']],
    ['a wait', [waiting], 'running', ['announce-waiting']],
    ['the same wait told twice', [waiting, waiting], 'running', ['announce-waiting']],
    ['two waits', [waiting, working, waiting], 'running', ['announce-waiting', 'announce-waiting']],
    ['a wait while stopping', [stop, waiting], 'stopping', ['deliver-kill']],
    ['a wait after the end', [settle('completed'), waiting], 'completed', ['announce-settled completed']],
  ] as [string, JobEvent[], string, string[]][])('takes %s', (_what, events, status, effects) => {
    const played = play(...events)
    expect(played.state.status).toBe(status)
    expect(played.effects).toEqual(effects)
  })

  it('keeps when things happened', () => {
    expect(play(stop).state).toMatchObject({ startedAt: 1, stoppingSince: 5 })
    expect(play(stop, { ...stop, at: 7 }).state).toMatchObject({ stoppingSince: 5 })
    expect(play(stop, settle('killed')).state).toEqual({ status: 'killed', startedAt: 1, endedAt: 9 })
  })

  it('asks for attention at a wait and at the end', () => {
    expect([play(), play(working), play(stop)].map(({ state }) => needsAttention(state))).toEqual([false, false, false])
    expect([play(waiting), play(settle('failed'))].map(({ state }) => needsAttention(state))).toEqual([true, true])
  })

  it('only moves forward, settles once and never completes what was asked to stop', () => {
    const event = fc.constantFrom<JobEvent>(
      working,
      waiting,
      stop,
      settle('completed'),
      settle('killed'),
      settle('failed'),
    )
    const rank = { running: 0, stopping: 1, completed: 2, killed: 2, failed: 2 }
    fc.assert(
      fc.property(fc.array(event, { maxLength: 12 }), (events) => {
        let state: JobState = startState(0)
        let wasStopping = false
        let settled = 0
        for (const each of events) {
          const next = step(state, each)
          expect(rank[next.state.status]).toBeGreaterThanOrEqual(rank[state.status])
          if (isEnded(state)) expect(next).toEqual({ state, effects: [] })
          settled += next.effects.filter(({ type }) => type === 'announce-settled').length
          state = next.state
          wasStopping ||= state.status === 'stopping'
        }
        expect(settled).toBe(isEnded(state) ? 1 : 0)
        if (wasStopping) expect(state.status).not.toBe('completed')
      }),
    )
  })
})
