import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { copyPlainJson } from '../../src/index.js'

const isDeepFrozen = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(isDeepFrozen))

const cyclic: { self?: unknown } = {}
cyclic.self = cyclic

describe('copyPlainJson', () => {
  it('copies any JSON value to a deep-frozen equal that survives a round trip through text', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const copied = copyPlainJson(value)
        expect(JSON.parse(JSON.stringify(copied))).toEqual(copied)
        expect(JSON.stringify(copied)).toBe(JSON.stringify(value))
        expect(isDeepFrozen(copied)).toBe(true)
      }),
    )
  })

  it('does not change with the original', () => {
    const original = { list: [1] }
    const copied = copyPlainJson(original)
    original.list.push(2)
    expect(copied).toEqual({ list: [1] })
  })

  it('leaves out undefined properties', () => {
    expect(Object.keys(copyPlainJson({ a: 1, b: undefined }) as object)).toEqual(['a'])
  })

  it('keeps a key that names the prototype as data', () => {
    const copied = copyPlainJson(JSON.parse('{"__proto__":{"polluted":true}}'))
    expect(JSON.stringify(copied)).toBe('{"__proto__":{"polluted":true}}')
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  it('accepts an object twice that does not contain itself', () => {
    const shared = { x: 1 }
    expect(copyPlainJson([shared, shared])).toEqual([{ x: 1 }, { x: 1 }])
  })

  it.each([
    ['a number beyond JSON', { a: [1, Number.NaN] }, 'a.1 is NaN'],
    ['infinity', { a: Number.POSITIVE_INFINITY }, 'a is Infinity'],
    ['a function', { run: () => 1 }, 'run is of type function'],
    ['a big integer', 1n, 'the value is of type bigint'],
    ['undefined', undefined, 'the value is of type undefined'],
    ['undefined within a list', [undefined], '0 is of type undefined'],
    ['a hole', new Array(1), '0 is of type undefined'],
    ['a date', { at: new Date(0) }, 'at is an instance of a class'],
    ['an error', new Error('x'), 'the value is an instance of a class'],
    ['a cycle', cyclic, 'self contains itself'],
  ])('refuses %s and names its place', (_what, value, message) => {
    expect(() => copyPlainJson(value)).toThrow(message)
  })
})
