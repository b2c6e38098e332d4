import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HeldEvents } from '../../src/core/index.js'

type Event = { readonly type: string; readonly bytes?: Uint8Array }

const event: fc.Arbitrary<Event> = fc.oneof(
  fc.nat({ max: 9 }).map((length) => ({ type: 'data', bytes: new Uint8Array(length) })),
  fc.constant({ type: 'title-changed' }),
)

describe('held events', () => {
  it('keep their order, every event that is not output, and the newest output within the bound', () => {
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const held = new HeldEvents<Event>(20)
        for (const each of events) held.add(each)
        const kept = held.drain()
        expect(kept).toEqual(events.filter((each) => kept.includes(each)))
        expect(kept.filter(({ type }) => type !== 'data')).toHaveLength(
          events.filter(({ type }) => type !== 'data').length,
        )
        expect(kept.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0)).toBeLessThanOrEqual(20)
        const newest = events.findLast(({ bytes }) => bytes !== undefined)
        if (newest) expect(kept).toContain(newest)
      }),
    )
  })

  it('are given out once', () => {
    const held = new HeldEvents<Event>()
    held.add({ type: 'title-changed' })
    expect(held.drain()).toHaveLength(1)
    expect(held.drain()).toEqual([])
  })
})
