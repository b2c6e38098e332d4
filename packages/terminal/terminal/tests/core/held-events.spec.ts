import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HeldEvents } from '../../src/core/index.js'

type Event = { readonly id: number; readonly type: string; readonly bytes?: Uint8Array }

const kind = fc.oneof(
  fc.nat({ max: 9 }).map((length) => ({ type: 'data', bytes: new Uint8Array(length) })),
  fc.constant({ type: 'title-changed' }),
)
const sequence = fc.array(kind).map((kinds): Event[] => kinds.map((each, id) => ({ id, ...each })))

describe('held events', () => {
  it('keep their order, every event that is not output, and the newest output within the bound', () => {
    fc.assert(
      fc.property(sequence, (events) => {
        const held = new HeldEvents<Event>(20)
        for (const each of events) held.add(each)
        const kept = held.drain()
        const ids = new Set(kept.map(({ id }) => id))
        expect(kept).toEqual(events.filter(({ id }) => ids.has(id)))
        expect(kept.filter(({ type }) => type !== 'data')).toHaveLength(
          events.filter(({ type }) => type !== 'data').length,
        )
        expect(kept.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0)).toBeLessThanOrEqual(20)
        const newest = events.findLast(({ bytes }) => bytes !== undefined)
        if (newest) expect(kept).toContainEqual(newest)
      }),
    )
  })

  it('are given out once', () => {
    const held = new HeldEvents<Event>()
    held.add({ id: 0, type: 'title-changed' })
    expect(held.drain()).toHaveLength(1)
    expect(held.drain()).toEqual([])
  })
})
