import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CardBuffer } from '../../../src/core/output/card-buffer.js'
import { findTail } from '../../../src/core/output/sequence.js'

const LIMITS = { maxCardBytes: 1000, tailBytes: 200, maxChunkUnits: 64 }

function drain(buffer: CardBuffer): readonly string[] {
  const taken: string[] = []
  for (let data = buffer.take(); data !== ''; data = buffer.take()) taken.push(data)
  return taken
}

const line = fc
  .string({ unit: fc.constantFrom('a', 'é', '😀', '\x1b[1m', ' '), maxLength: 30 })
  .map((text) => `${text}\n`)

describe('a card buffer', () => {
  test('passes everything below the budget, whenever it is taken', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(line, fc.boolean()), { maxLength: 10 }), (pieces) => {
        const buffer = new CardBuffer({ ...LIMITS, maxCardBytes: 100_000 })
        const taken: string[] = []
        for (const [piece, isTaken] of pieces) {
          buffer.push(piece)
          if (isTaken) taken.push(...drain(buffer))
        }
        buffer.finish()
        taken.push(...drain(buffer))
        expect(taken.join('')).toBe(pieces.map(([piece]) => piece).join(''))
        expect(buffer.waitingUnits).toBe(0)
      }),
    )
  })

  test('gives pieces within the size of a message that stand by themselves', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), (pieces) => {
        const buffer = new CardBuffer(LIMITS)
        for (const piece of pieces) buffer.push(piece)
        buffer.finish()
        for (const data of drain(buffer)) {
          expect(data.length).toBeLessThanOrEqual(64)
          expect(findTail(data)).toEqual({ kind: 'complete' })
        }
      }),
    )
  })

  test('keeps head and end of what is too long, counts the rest, and stays bounded', () => {
    fc.assert(
      fc.property(fc.integer({ min: 200, max: 2000 }), (count) => {
        const buffer = new CardBuffer(LIMITS)
        const lines = Array.from({ length: count }, (_, index) => `line ${index}\n`)
        for (const each of lines) buffer.push(each)
        const shownLive = drain(buffer).join('')
        buffer.finish()
        const end = drain(buffer).join('')
        expect(lines.join('').startsWith(shownLive.split('\x1b')[0] ?? '?')).toBe(true)
        expect(shownLive).toContain('[output limit reached')
        const [, omitted = '', kept = ''] = /\[([\d,]+) bytes left out\]\r\n([\s\S]*)$/.exec(end) ?? []
        expect(kept.length).toBeGreaterThan(100)
        expect(lines.join('').endsWith(kept)).toBe(true)
        const head = shownLive.slice(0, shownLive.indexOf('\x1b[0m\r\n'))
        expect(head.length + kept.length + Number(omitted.replace(/,/g, ''))).toBe(lines.join('').length)
        expect(Buffer.byteLength(shownLive + end)).toBeLessThan(LIMITS.maxCardBytes + 200)
      }),
    )
  })

  test('puts a note on a line of its own', () => {
    const buffer = new CardBuffer(LIMITS)
    buffer.push('no line end')
    buffer.note('[one\ntwo]')
    buffer.note('[three]')
    expect(drain(buffer).join('')).toBe('no line end\r\n[one\r\ntwo]\r\n[three]\r\n')
  })

  test('joins small pieces that wait', () => {
    const buffer = new CardBuffer({ ...LIMITS, maxCardBytes: 100_000, maxChunkUnits: 1000 })
    for (let count = 0; count < 1000; count++) buffer.push('ab')
    expect(drain(buffer).map(({ length }) => length)).toEqual([1000, 1000])
  })

  test('shows nothing for nothing', () => {
    const buffer = new CardBuffer(LIMITS)
    buffer.push('')
    buffer.finish()
    expect(drain(buffer)).toEqual([])
  })
})
