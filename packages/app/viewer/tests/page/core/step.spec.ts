import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { factsOf } from '../../../src/page/core/facts.js'
import { initialState, type ViewerState } from '../../../src/page/core/state.js'
import { step, type ViewerEvent } from '../../../src/page/core/step.js'
import { selectedModel, terminalModels } from '../../../src/page/core/terminal-model.js'
import { arbitraryAction, infoOf, ME, sessionClaim, statesOf, terminalState } from './arbitrary-events.js'

const signedIn = initialState({ kind: 'signed-in', token: 't' }, { selected: undefined, owners: new Map() })
const play = (state: ViewerState, ...events: readonly ViewerEvent[]) => events.reduce(step, state)
const list = (...uris: readonly string[]): ViewerEvent => ({
  type: 'list-changed',
  terminals: uris.map((uri) => infoOf(uri, terminalState({ title: uri }))),
})

describe('the list', () => {
  it('shows its first terminal at the beginning, and the remembered one if it is still there', () => {
    expect(play(signedIn, list('a', 'b')).selected).toBe('a')
    expect(play({ ...signedIn, selected: 'b' }, list('a', 'b')).selected).toBe('b')
    expect(play({ ...signedIn, selected: 'gone' }, list('a', 'b')).selected).toBe('a')
  })

  it.each([
    ['b', ['a', 'c'], 'c'],
    ['c', ['a', 'b'], 'b'],
    ['a', ['b', 'c'], 'b'],
    ['b', [], undefined],
  ])('shows the neighbour of %s when it goes', (selected, left, shown) => {
    const state = play(signedIn, list('a', 'b', 'c'), { type: 'selected', uri: selected }, list(...left))
    expect(state.selected).toBe(shown)
    expect(state.pane).toBe('list')
  })

  it('closes the dialog about a terminal that is gone', () => {
    const asked = play(signedIn, list('a', 'b'), { type: 'dialog-opened', dialog: { kind: 'dispose', uri: 'b' } })
    expect(play(asked, list('a', 'b')).dialog).toEqual({ kind: 'dispose', uri: 'b' })
    expect(play(asked, list('a')).dialog).toEqual({ kind: 'none' })
  })

  it('marks terminals that print while another is shown, until they are shown', () => {
    const printed = play(signedIn, list('a', 'b'), { type: 'printed', uri: 'a' }, { type: 'printed', uri: 'b' })
    expect([...printed.unseen]).toEqual(['b'])
    expect(play(printed, { type: 'printed', uri: 'b' })).toBe(printed)
    expect([...play(printed, { type: 'selected', uri: 'b' }).unseen]).toEqual([])
  })
})

describe('the owner of a terminal', () => {
  it('is remembered while somebody else holds it', () => {
    const taken = infoOf('a', terminalState({ claim: { kind: 'client', clientId: ME } }))
    const state = play(signedIn, list('a'), { type: 'list-changed', terminals: [taken] })
    expect(selectedModel(state, ME)?.holder).toEqual({ kind: 'me', owner: sessionClaim('s') })
    expect(selectedModel(state, ME)?.agent).toBe('s')
  })

  it('is forgotten with the terminal', () => {
    expect(play(signedIn, list('a', 'b'), list('b')).owners.has('a')).toBe(false)
  })
})

describe('signing out', () => {
  it('leaves nothing on the page of what was seen', () => {
    const seen = play(signedIn, list('a'), { type: 'facts-changed', uri: 'a', facts: factsOf(terminalState()) })
    const state = play(seen, { type: 'access', event: { type: 'left' } })
    expect(state.terminals).toBeUndefined()
    expect(state.facts.size).toBe(0)
  })
})

describe('notices', () => {
  const notice = (text: string): ViewerEvent => ({ type: 'noticed', tone: 'news', text })

  it('say the same thing once, and not too many things', () => {
    const state = play(signedIn, ...['a', 'b', 'a', 'c', 'd', 'e'].map(notice))
    expect(state.notices.map(({ text }) => text)).toEqual(['a', 'c', 'd', 'e'])
  })

  it('go when they are dismissed', () => {
    const [first] = play(signedIn, notice('a')).notices
    if (!first) throw new Error('no notice')
    expect(play(signedIn, notice('a'), { type: 'notice-dismissed', id: first.id }).notices).toEqual([])
  })
})

describe('search', () => {
  it('belongs to one terminal', () => {
    const found = play(
      signedIn,
      list('a', 'b'),
      { type: 'find-opened' },
      { type: 'find-changed', change: { query: 'x' } },
      { type: 'find-counted', results: { index: 0, count: 1, isLimited: false } },
    )
    expect(found.find).toMatchObject({ kind: 'open', query: 'x', results: { count: 1 } })
    expect(play(found, { type: 'selected', uri: 'b' }).find).toEqual({ kind: 'closed' })
    expect(play(signedIn, { type: 'find-opened' }).find).toEqual({ kind: 'closed' })
  })

  it('ignores what comes after it was closed', () => {
    const late: ViewerEvent = { type: 'find-counted', results: { index: 0, count: 1, isLimited: false } }
    expect(play(signedIn, late)).toBe(signedIn)
  })
})

describe('any order of events over channels', () => {
  it('ends in the same page, as long as each channel keeps its own order', () => {
    const terminals = fc.array(fc.array(arbitraryAction, { maxLength: 8 }), { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(terminals, fc.infiniteStream(fc.nat()), (actionsOf, chance) => {
        const histories = actionsOf.map((actions, index) => ({ uri: `t${index}`, states: statesOf(actions) }))
        const longest = Math.max(...histories.map(({ states }) => states.length))
        const lists = Array.from(
          { length: longest },
          (_, moment): ViewerEvent => ({
            type: 'list-changed',
            terminals: histories.map(({ uri, states }) =>
              infoOf(uri, states[Math.min(moment, states.length - 1)] ?? terminalState()),
            ),
          }),
        )
        const channels: readonly (readonly ViewerEvent[])[] = [
          lists,
          ...histories.map(({ uri, states }) =>
            states.map((state): ViewerEvent => ({ type: 'facts-changed', uri, facts: factsOf(state) })),
          ),
        ]
        const inTurn = play(signedIn, ...channels.flat())
        const mixed = play(signedIn, ...interleave(channels, chance))
        expect(terminalModels(mixed, ME)).toEqual(terminalModels(inTurn, ME))
        expect(mixed.selected).toBe(inTurn.selected)
      }),
    )
  })
})

/** The list first: the page follows nothing else before it. */
function interleave(channels: readonly (readonly ViewerEvent[])[], chance: Iterator<number>): readonly ViewerEvent[] {
  const queues = channels.map((events) => [...events])
  const order: ViewerEvent[] = []
  const take = (index: number) => order.push(...(queues[index]?.splice(0, 1) ?? []))
  take(0)
  for (;;) {
    const open = queues.flatMap(({ length }, index) => (length > 0 ? [index] : []))
    if (open.length === 0) return order
    take(open[(chance.next().value ?? 0) % open.length] ?? 0)
  }
}
