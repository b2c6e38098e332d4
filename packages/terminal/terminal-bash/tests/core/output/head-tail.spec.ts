import fc from 'fast-check'
import { expect, it } from 'vitest'
import { HeadTail } from '../../../src/core/output/head-tail.js'
import { encoder } from './harness.js'

/** Lines as they are stored, with their line ends. */
function add(held: HeadTail, text: string): void {
  held.append(encoder.encode(text.replaceAll('\n', '\r\n')))
  held.addLines(text.split('\n').length - 1)
}

const text = fc.string({ unit: fc.constantFrom('a', 'é', '漢', '\n'), maxLength: 60, size: 'max' })

it('keeps a beginning and an end of whole characters within its bound, and counts the rest', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 120, max: 400 }),
      fc.array(text, { maxLength: 40, size: 'max' }),
      text,
      (maxBytes, parts, open) => {
        const held = new HeadTail(maxBytes)
        for (const part of parts) add(held, part)
        const whole = parts.join('') + open
        const { text: shown, omittedBytes, omittedLines } = held.render(open)
        if (omittedBytes === 0) {
          expect(shown).toBe(whole)
          return
        }
        const [, before = '', tail = ''] =
          /^([^…]*)… [\d,]+ lines \([\d,]+ bytes\) left out …\n([^…]*)$/.exec(shown) ?? []
        expect(shown).not.toContain('\ufffd')
        expect(whole.endsWith(tail)).toBe(true)
        expect(encoder.encode(shown).length).toBeLessThanOrEqual(maxBytes)
        // The note stands on a line of its own: the line end before it may be its own or the text's.
        const missing = [before, before.replace(/\n$/, '')]
          .filter((head) => whole.startsWith(head))
          .map((head) => whole.slice(head.length, whole.length - tail.length))
          .map((between) => [between.split('\n').length - 1, encoder.encode(between).length])
        expect(missing).toContainEqual([omittedLines, omittedBytes])
      },
    ),
  )
})

it('takes back its newest bytes, also when some in the middle are gone', () => {
  fc.assert(
    fc.property(fc.integer({ min: 120, max: 200 }), fc.integer({ min: 1, max: 60 }), (maxBytes, count) => {
      const held = new HeadTail(maxBytes)
      const line = `${'x'.repeat(49)}\n`
      for (let i = 0; i < 20; i += 1) add(held, line)
      const taken = 'y'.repeat(count)
      add(held, taken)
      held.takeBack(count)
      expect(held.render('').omittedLines).toBeLessThanOrEqual(20)
      expect(held.openLine()).toBe('')
      expect(held.render('').text).not.toMatch(/y+$/)
    }),
  )
})

it('has no room for any text below the length of its note', () => {
  const held = new HeadTail(64)
  add(held, 'a\n'.repeat(100))
  expect(held.render('')).toEqual({ text: '', omittedLines: 100, omittedBytes: 200 })
})

it('never ends its beginning within a line end', () => {
  for (let length = 40; length <= 120; length += 1) {
    const held = new HeadTail(240)
    add(held, `${'x'.repeat(length)}\n${'y'.repeat(500)}`)
    expect(held.render('').text).not.toContain('\r')
  }
})
