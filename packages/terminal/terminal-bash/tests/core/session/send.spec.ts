import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type SendEffect, type SendEvent, type SendState, type Settlement, step } from '../../../src/core/index.js'

const VERDICT = { reason: 'stdin_read', state: 'prompt', notes: [] } as const

function play(events: readonly SendEvent[]): { readonly state: SendState; readonly effects: readonly SendEffect[] } {
  let state: SendState = { kind: 'preparing' }
  const effects: SendEffect[] = []
  for (const event of events) {
    const next = step(state, event)
    state = next.state
    effects.push(...next.effects)
  }
  return { state, effects }
}
const outcomes = (effects: readonly SendEffect[]): Settlement[] =>
  effects.flatMap((effect) => (effect.type === 'settle' ? [effect.outcome] : []))
const signals = (effects: readonly SendEffect[]) =>
  effects.flatMap((effect) => (effect.type === 'deliver' ? [effect.signal] : []))

const planned: SendEvent = { type: 'planned' }
const cancel: SendEvent = { type: 'cancel', reason: 'enough' }
const delivered = (pgid = 7, isShell = false): SendEvent => ({ type: 'delivered', target: { pgid, isShell } })
const inFront = (pgid: number, isShellCopy = false, at = 0): SendEvent => {
  return { type: 'in-front', at, pgid, isShell: pgid === 1, isShellCopy }
}
const graceOver = (pgid = 7): SendEvent => ({ type: 'grace-over', pgid })

describe('the step of a send', () => {
  it('settles by the verdict', () => {
    const { state, effects } = play([planned, { type: 'written' }, { type: 'ready', verdict: VERDICT }])
    expect(state.kind).toBe('settled')
    expect(outcomes(effects)).toEqual([{ kind: 'settled', verdict: VERDICT }])
  })

  it('signals nothing when it is cancelled before the input is planned', () => {
    const { effects } = play([cancel, planned, { type: 'written' }])
    expect(effects).toEqual([{ type: 'settle', outcome: { kind: 'cancelled', reason: 'enough', delivered: 'none' } }])
  })

  it('drops input before it signals', () => {
    const { effects } = play([planned, cancel])
    expect(effects).toEqual([{ type: 'drop-input' }, { type: 'deliver', signal: 'SIGINT' }])
  })

  it('does not settle before the delivery has', () => {
    const early = play([planned, cancel, { type: 'yielded' }])
    expect(early.state.kind).toBe('interrupting')
    const late = play([planned, cancel, { type: 'yielded' }, delivered()])
    expect(outcomes(late.effects)).toEqual([{ kind: 'cancelled', reason: 'enough', delivered: 'SIGINT', pgid: 7 }])
  })

  it('climbs the ladder while the program stays', () => {
    const rungs = [
      delivered(),
      graceOver(),
      delivered(),
      graceOver(),
      delivered(),
      graceOver(),
      delivered(),
      graceOver(),
    ]
    const { effects } = play([planned, cancel, ...rungs])
    expect(signals(effects)).toEqual(['SIGINT', 'SIGINT', 'SIGTERM', 'SIGKILL'])
    expect(outcomes(effects)).toEqual([{ kind: 'cancelled', reason: 'enough', delivered: 'failed', pgid: 7 }])
  })

  it('never gives the shell more than SIGINT', () => {
    const rungs = [delivered(1, true), graceOver(1), delivered(1, true), graceOver(1)]
    const { effects } = play([planned, cancel, ...rungs])
    expect(signals(effects)).toEqual(['SIGINT', 'SIGINT'])
    expect(outcomes(effects)).toHaveLength(1)
  })

  it('starts the ladder again for a program that takes the first one’s place', () => {
    const { effects } = play([planned, cancel, delivered(7), graceOver(7), delivered(7), graceOver(8)])
    expect(signals(effects)).toEqual(['SIGINT', 'SIGINT', 'SIGINT'])
  })

  it('interrupts again at once what the shell has started after its interrupt, and nothing else', () => {
    const again = play([planned, cancel, inFront(7), delivered(1, true), inFront(7), delivered(7), inFront(8)])
    expect(signals(again.effects)).toEqual(['SIGINT', 'SIGINT'])
    expect(again.state).toMatchObject({ kind: 'draining', target: { pgid: 7 } })
    const copy: SendEvent = { type: 'delivered', target: { pgid: 7, isShell: false, isShellCopy: true } }
    expect(signals(play([planned, cancel, copy, inFront(7, true)]).effects)).toEqual(['SIGINT'])
    expect(signals(play([planned, cancel, copy, inFront(7, true), inFront(7)]).effects)).toEqual(['SIGINT', 'SIGINT'])
    const same = play([planned, cancel, delivered(1, true), inFront(1)])
    expect(signals(same.effects)).toEqual(['SIGINT'])
    expect(play([planned, { type: 'written' }, inFront(7)]).state.kind).toBe('waiting')
  })

  it('leaves what a shell that was at work itself runs after its interrupt, such as a trap, to end by itself', () => {
    const working = [planned, { type: 'written' }, inFront(1, false, 100), inFront(1, false, 150)] as const
    const after = [cancel, delivered(1, true), inFront(7)]
    expect(signals(play([...working, ...after]).effects)).toEqual(['SIGINT'])
    expect(signals(play([...working, inFront(7, false, 160), ...after]).effects)).toEqual(['SIGINT', 'SIGINT'])
    expect(signals(play([...working.slice(0, 3), ...after]).effects)).toEqual(['SIGINT', 'SIGINT'])
    expect(signals(play([...working, ...after, graceOver(7)]).effects)).toEqual(['SIGINT', 'SIGINT'])
  })

  it('reports a signal whose group nobody could name', () => {
    const unnamed: SendEvent = { type: 'delivered', target: { isShell: false } }
    expect(outcomes(play([planned, cancel, unnamed, { type: 'yielded' }]).effects)).toEqual([
      { kind: 'cancelled', reason: 'enough', delivered: 'SIGINT' },
    ])
  })

  it('spares the shell when the program has gone before its next signal, and reports what had been sent', () => {
    const spared: SendEvent = { type: 'delivered', target: { pgid: 1, isShell: true, isSpared: true } }
    const first = [planned, cancel, delivered(7), graceOver(7)]
    for (const end of [[spared, { type: 'yielded' }] as const, [{ type: 'yielded' }, spared] as const]) {
      const { effects } = play([...first, ...end])
      expect(outcomes(effects)).toEqual([{ kind: 'cancelled', reason: 'enough', delivered: 'SIGINT', pgid: 7 }])
    }
  })

  it('interrupts a shell that does not come back to its prompt by itself', () => {
    const spared: SendEvent = { type: 'delivered', target: { pgid: 1, isShell: true, isSpared: true } }
    const { effects } = play([
      ...[planned, cancel, delivered(7), graceOver(7), delivered(7), graceOver(7), delivered(7), graceOver(7)],
      ...[spared, graceOver(1), delivered(1, true), { type: 'yielded' } as const],
    ])
    expect(signals(effects)).toEqual(['SIGINT', 'SIGINT', 'SIGTERM', 'SIGKILL', 'SIGINT'])
    expect(outcomes(effects)).toMatchObject([{ kind: 'cancelled', delivered: 'SIGINT', pgid: 1 }])
  })

  it('keeps the first reason', () => {
    const { effects } = play([planned, cancel, { type: 'cancel', reason: 'another' }, delivered(), { type: 'yielded' }])
    expect(outcomes(effects)).toMatchObject([{ reason: 'enough' }])
  })

  it('takes the end of the terminal for a yield', () => {
    const exit: SendEvent = { type: 'ready', verdict: { reason: 'session_exit', state: 'ended', notes: [] } }
    expect(outcomes(play([planned, cancel, exit]).effects)).toMatchObject([{ kind: 'cancelled' }])
    expect(outcomes(play([planned, cancel, delivered(), exit]).effects)).toMatchObject([{ kind: 'cancelled' }])
  })

  it('settles exactly once, whatever comes in whatever order, and does nothing afterwards', () => {
    const events = fc.oneof<fc.Arbitrary<SendEvent>[]>(
      fc.constant(planned),
      fc.constant<SendEvent>({ type: 'written' }),
      fc.constant<SendEvent>({ type: 'failed', error: 'broken' }),
      fc.constant<SendEvent>({ type: 'ready', verdict: VERDICT }),
      fc.constant(cancel),
      fc.boolean().map((isShell) => delivered(isShell ? 1 : 7, isShell)),
      fc.constant<SendEvent>({ type: 'undelivered' }),
      fc.tuple(fc.constantFrom(1, 7, 8), fc.nat(100)).map(([pgid, at]) => inFront(pgid, pgid === 8, at)),
      fc.constant<SendEvent>({ type: 'yielded' }),
      fc.integer({ min: 5, max: 9 }).map(graceOver),
    )
    fc.assert(
      fc.property(fc.array(events, { maxLength: 60 }), (sequence) => {
        let state: SendState = { kind: 'preparing' }
        let settled = 0
        let wrote = false
        for (const event of sequence) {
          const wasSettled = state.kind === 'settled'
          const next: ReturnType<typeof step> = step(state, event)
          if (wasSettled) expect(next).toEqual({ state, effects: [] })
          state = next.state
          if (state.kind === 'writing') wrote = true
          if (next.effects.some((effect) => effect.type === 'deliver')) expect(wrote).toBe(true)
          settled += outcomes(next.effects).length
        }
        expect(settled).toBe(state.kind === 'settled' ? 1 : 0)
      }),
    )
  })

  it('reaches the end of the ladder for a program that never yields, however often it is replaced', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.integer({ min: 2, max: 4 })), (groups) => {
        let { state } = play([planned, cancel])
        for (let round = 0; round < 40 && state.kind !== 'settled'; round++) {
          const pgid = groups.next().value ?? 2
          const target = { pgid, isShell: pgid === 2, isSpared: pgid === 2 && state.kind === 'interrupting' }
          state = step(state, { type: 'delivered', target }).state
          state = step(state, graceOver(groups.next().value ?? 2)).state
        }
        expect(state.kind).toBe('settled')
      }),
    )
  })
})
