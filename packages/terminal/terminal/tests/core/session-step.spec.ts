import { describe, expect, it } from 'vitest'
import { OPENING, type SessionInput, type SessionState, step } from '../../src/core/index.js'

/** Run a timeline: each input with the state and the effects it must lead to. */
function play(timeline: readonly (readonly [SessionInput, state: string, effects: readonly string[]])[]): SessionState {
  let state: SessionState = OPENING
  for (const [input, expectedState, expectedEffects] of timeline) {
    const transition = step(state, input)
    state = transition.state
    expect([input.type, state.kind, transition.effects.map(({ type }) => type)]).toEqual([
      input.type,
      expectedState,
      expectedEffects,
    ])
  }
  return state
}

const OPENED: SessionInput = { type: 'backend-opened' }
const CLOSE: SessionInput = { type: 'close-requested' }
const SEND: SessionInput = { type: 'send-started', sendId: 1 }
const EXITED: SessionInput = { type: 'process-exited', status: { kind: 'exited', exitCode: 3 } }
const BROKEN = new Error('broken')

describe('an input that does not apply', () => {
  const open = () => play([[OPENED, 'open', ['publish']]])
  const sending = () =>
    play([
      [OPENED, 'open', ['publish']],
      [SEND, 'open', []],
    ])
  const closing = () =>
    play([
      [OPENED, 'open', ['publish']],
      [SEND, 'open', []],
      [CLOSE, 'closing', ['cancel-send']],
    ])
  const closeFailed = () => step(closing(), { type: 'close-failed', attempt: 1, error: BROKEN }).state
  const ABORTED: SessionInput = { type: 'caller-aborted', reason: 'late' }
  const OVERDUE: SessionInput = { type: 'abort-overdue', error: BROKEN }
  const OTHER: SessionInput = { type: 'send-settled', sendId: 9 }

  it.each<readonly [string, () => SessionState, SessionInput]>([
    ['an overdue abort of a start that nobody stopped', () => OPENING, OVERDUE],
    ['a close of a start', () => OPENING, CLOSE],
    ['an abort after the opening', open, ABORTED],
    ['an overdue abort after the opening', open, OVERDUE],
    ['a second send', sending, { type: 'send-started', sendId: 2 }],
    ['an abort while it is being closed', closing, ABORTED],
    ['the end of another send while it is being closed', closing, OTHER],
    ['the end of another send after a failed close', closeFailed, OTHER],
    ['an abort after a failed close', closeFailed, ABORTED],
  ])('changes nothing: %s', (_title, reach, input) => {
    const state = reach()
    expect(step(state, input)).toEqual({ state, effects: [] })
  })
})

describe('step', () => {
  it('opens, sends, closes', () => {
    play([
      [OPENED, 'open', ['publish']],
      [SEND, 'open', []],
      [{ type: 'send-settled', sendId: 1 }, 'open', []],
      [CLOSE, 'closing', ['end-process']],
      [{ type: 'close-succeeded', killed: true }, 'closed', ['finish']],
    ])
  })

  it('cancels an active send before it ends the process', () => {
    play([
      [OPENED, 'open', ['publish']],
      [SEND, 'open', []],
      [CLOSE, 'closing', ['cancel-send']],
      [{ type: 'send-settled', sendId: 1 }, 'closing', ['end-process']],
      [{ type: 'send-overdue', attempt: 1 }, 'closing', []],
    ])
  })

  it('ends the process once when a cancelled send settles after it was given up', () => {
    play([
      [OPENED, 'open', ['publish']],
      [SEND, 'open', []],
      [CLOSE, 'closing', ['cancel-send']],
      [{ type: 'send-overdue', attempt: 1 }, 'closing', ['end-process']],
      [{ type: 'send-settled', sendId: 1 }, 'closing', []],
    ])
  })

  it('ignores the settlement of a send that is no longer the current one', () => {
    const state = play([
      [OPENED, 'open', ['publish']],
      [SEND, 'open', []],
      [{ type: 'send-settled', sendId: 1 }, 'open', []],
      [{ type: 'send-started', sendId: 2 }, 'open', []],
      [{ type: 'send-settled', sendId: 1 }, 'open', []],
    ])
    expect(state).toMatchObject({ send: { sendId: 2 } })
  })

  it('leaves the claim of a person alone when a send starts', () => {
    const state = play([
      [OPENED, 'open', ['publish']],
      [{ type: 'claimed', claim: { kind: 'client', clientId: 'ui' } }, 'open', ['announce-claim']],
      [{ type: 'send-started', sendId: 1, toolCallId: 'c1' }, 'open', []],
    ])
    expect(state).toMatchObject({ claim: { kind: 'client', clientId: 'ui' } })
  })

  it('fences the failure of a close to its attempt', () => {
    play([
      [OPENED, 'open', ['publish']],
      [CLOSE, 'closing', ['end-process']],
      [{ type: 'close-failed', attempt: 1, error: BROKEN }, 'close-failed', ['report-failure']],
      [CLOSE, 'closing', ['end-process']],
      [{ type: 'close-failed', attempt: 1, error: BROKEN }, 'closing', []],
      [{ type: 'close-succeeded', killed: true }, 'closed', ['finish']],
      [CLOSE, 'closed', []],
    ])
  })

  it('takes a success for the end, whichever attempt it comes from', () => {
    play([
      [OPENED, 'open', ['publish']],
      [CLOSE, 'closing', ['end-process']],
      [{ type: 'close-failed', attempt: 1, error: BROKEN }, 'close-failed', ['report-failure']],
      [CLOSE, 'closing', ['end-process']],
      [{ type: 'close-succeeded', killed: true }, 'closed', ['finish']],
      [{ type: 'close-failed', attempt: 2, error: BROKEN }, 'closed', []],
    ])
  })

  it('keeps an ended terminal open and announces its end once', () => {
    play([
      [OPENED, 'open', ['publish']],
      [EXITED, 'open', ['announce-exit', 'keep-ended']],
      [EXITED, 'open', []],
      [CLOSE, 'closing', ['end-process']],
      [EXITED, 'closing', []],
    ])
  })

  it('reports what the backend had to end after a process that had ended by itself, also over several attempts', () => {
    const state = play([
      [OPENED, 'open', ['publish']],
      [EXITED, 'open', ['announce-exit', 'keep-ended']],
      [CLOSE, 'closing', ['end-process']],
      [{ type: 'close-failed', attempt: 1, error: BROKEN }, 'close-failed', ['report-failure']],
      [CLOSE, 'closing', ['end-process']],
      [{ type: 'close-succeeded', killed: true }, 'closed', ['finish']],
    ])
    expect(state).toEqual({ kind: 'closed', killed: true })
  })

  it('reports a kill when the process ended because of a first attempt', () => {
    const state = play([
      [OPENED, 'open', ['publish']],
      [CLOSE, 'closing', ['end-process']],
      [EXITED, 'closing', ['announce-exit']],
      [{ type: 'close-failed', attempt: 1, error: BROKEN }, 'close-failed', ['report-failure']],
      [CLOSE, 'closing', ['end-process']],
      [{ type: 'close-succeeded', killed: true }, 'closed', ['finish']],
    ])
    expect(state).toEqual({ kind: 'closed', killed: true })
  })

  it('rolls back what a stopped start hands over, and answers the caller only then', () => {
    play([
      [{ type: 'caller-aborted', reason: 'why' }, 'opening', ['abort-open']],
      [OPENED, 'closing', ['end-process']],
      [{ type: 'close-succeeded', killed: true }, 'closed', ['reject-open', 'finish']],
    ])
  })

  it('answers the caller of a start once, however often it fails afterwards', () => {
    play([
      [{ type: 'caller-aborted', reason: 'why' }, 'opening', ['abort-open']],
      [{ type: 'abort-overdue', error: BROKEN }, 'opening', ['reject-open', 'report-failure']],
      [{ type: 'lifecycle-ended', error: BROKEN }, 'opening', ['abort-open']],
      [{ type: 'abort-overdue', error: BROKEN }, 'opening', ['report-failure']],
      [OPENED, 'closing', ['end-process']],
      [{ type: 'close-failed', attempt: 1, error: BROKEN }, 'close-failed', ['report-failure']],
      [CLOSE, 'closing', ['end-process']],
      [{ type: 'close-succeeded', killed: true }, 'closed', ['finish']],
    ])
  })
})
