import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findTail } from '../../../src/core/output/sequence.js'
import { type Held, NOTHING_HELD, releaseHeld, splitWhole } from '../../../src/core/output/whole-text.js'

function pass(pieces: readonly string[]) {
  let held: Held = NOTHING_HELD
  const wholes: string[] = []
  for (const piece of pieces) {
    const split = splitWhole(held, piece)
    held = split.held
    wholes.push(split.whole)
  }
  return { wholes, rest: releaseHeld(held) }
}

const token = fc.constantFrom(
  'plain ',
  '\r\n',
  '😀',
  'é',
  '\x1b[0m',
  '\x1b[38;5;208m',
  '\x1b[?25l',
  '\x1b]0;title\x07',
  '\x1b]8;;http://x\x1b\\',
  '\x1bPq#1\x1b\\',
  '\x1b(B',
  '\x1b=',
  '\x1bM',
)

describe('a stream cut at any place', () => {
  test('keeps every unit, in order', () => {
    fc.assert(
      fc.property(fc.array(token), fc.array(fc.nat(400)), (tokens, cuts) => {
        const text = tokens.join('')
        const { wholes, rest } = pass(cutAt(text, cuts))
        expect(wholes.join('') + rest).toBe(text)
        expect(rest).toBe('')
      }),
    )
  })

  test('gives only pieces that stand by themselves', () => {
    fc.assert(
      fc.property(fc.array(token), fc.array(fc.nat(400)), (tokens, cuts) => {
        for (const whole of pass(cutAt(tokens.join(''), cuts)).wholes) {
          expect(findTail(whole)).toEqual({ kind: 'complete' })
          expect(whole).not.toMatch(/\p{Surrogate}/u)
        }
      }),
    )
  })

  test('is the same whatever the input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.array(fc.nat(100)), (text, cuts) => {
        const { wholes, rest } = pass(cutAt(text, cuts))
        const one = pass([text])
        expect(wholes.join('') + rest).toBe(one.wholes.join('') + one.rest)
      }),
    )
  })
})

describe('what never ends', () => {
  test('a control string too long to be kept is left out, and what follows it is shown', () => {
    const { wholes } = pass(['a\x1b]52;c;', 'x'.repeat(20_000), 'y'.repeat(20_000), 'z\x1b', '\\b'])
    expect(wholes.join('')).toBe('ab')
  })

  test('a control sequence without an end is shown after all', () => {
    const { wholes, rest } = pass([`\x1b[${'1;'.repeat(10_000)}`, 'm'])
    expect(wholes.join('') + rest).toBe(`\x1b[${'1;'.repeat(10_000)}m`)
  })

  test('half a pair at the end becomes a replacement character', () => {
    expect(pass(['a\ud83d']).rest).toBe('\ufffd')
    expect(pass(['a\ud83d', 'b']).wholes.join('')).toBe('a\ufffdb')
  })
})

function cutAt(text: string, cuts: readonly number[]): readonly string[] {
  const places = [...new Set([0, ...cuts.map((cut) => cut % (text.length + 1)), text.length])].sort((a, b) => a - b)
  return places.slice(1).map((place, index) => text.slice(places[index], place))
}
