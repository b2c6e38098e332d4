import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeAsJson, freezeDeeply } from '../../src/core/json.js'

const circular: { again?: unknown } = {}
circular.again = circular
const deep: unknown[] = []
let level = deep
for (let depth = 0; depth < 5000; depth++) {
  const next: unknown[] = []
  level.push(next)
  level = next
}

describe('describeAsJson', () => {
  it('gives plain JSON for anything', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true, withSparseArray: true }), (value) => {
        const described = describeAsJson(value)
        expect(JSON.stringify(JSON.parse(JSON.stringify(described)))).toBe(JSON.stringify(described))
      }),
    )
  })

  it('leaves plain JSON as it is', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => JSON.stringify(describeAsJson(value)) === JSON.stringify(value)))
  })

  it.each([
    [Number.NaN, '[NaN]'],
    [Number.NEGATIVE_INFINITY, '[-Infinity]'],
    [undefined, null],
    [12n, '12'],
    [() => 1, '[function]'],
    [Symbol('x'), '[symbol]'],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
    [new Date(Number.NaN), '[invalid date]'],
    [{ a: undefined, b: 1 }, { b: 1 }],
    [circular, { again: '[circular]' }],
  ])('says what %o was', (value, described) => {
    expect(describeAsJson(value)).toEqual(described)
  })

  it('ends at a depth nobody needs', () => {
    expect(JSON.stringify(describeAsJson(deep))).toContain('[too deep]')
  })
})

describe('freezeDeeply', () => {
  it('freezes plain values throughout and leaves instances alone', () => {
    const value = { list: [{ a: 1 }], when: new Date(0), bytes: new Uint8Array(1) }
    freezeDeeply(value)
    expect(Object.isFrozen(value.list[0])).toBe(true)
    expect(Object.isFrozen(value.when) || Object.isFrozen(value.bytes)).toBe(false)
  })

  it('comes to an end on a value that contains itself', () => {
    expect(freezeDeeply(circular)).toBe(circular)
  })
})
