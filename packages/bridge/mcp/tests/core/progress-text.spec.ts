import fc from 'fast-check'
import { expect, test } from 'vitest'
import { appendOutput, hasMessage, initialProgressText, takeMessage } from '../../src/core/progress-text.js'

const append = (pieces: readonly string[], maxBytes = 1000) =>
  pieces.reduce((state, piece) => appendOutput(state, piece, maxBytes), initialProgressText)
const messageOf = (pieces: readonly string[], maxBytes?: number) => takeMessage(append(pieces, maxBytes)).message

test.each([
  ['lines', ['a\r\n', 'b\n'], 'a\nb\n'],
  ['a progress bar collapses to its last frame', ['10%\r', '20%\r', '30%\n'], '30%\n'],
  ['a line end split over pieces', ['a\r', '\nb'], 'a\nb'],
  ['several returns', ['a\r\r\n'], 'a\n'],
  ['a frame that may still be overwritten', ['50%\r'], '50%'],
  ['nothing but a return', ['\r'], ''],
])('%s', (_, pieces, message) => {
  expect(messageOf(pieces)).toBe(message)
})

test('a return that was held back acts on what comes after the message', () => {
  const { state, message } = takeMessage(append(['50%\r']))
  expect([message, hasMessage(state)]).toEqual(['50%', false])
  expect(takeMessage(appendOutput(state, '60%\n', 1000)).message).toBe('60%\n')
})

test('the newest part is kept within the bound, and what is missing is counted', () => {
  const state = append(['a'.repeat(600), 'b'.repeat(600)], 1000)
  expect(takeMessage(state).message).toBe(`[200 bytes not shown]\n${'a'.repeat(400)}${'b'.repeat(600)}`)
  expect(hasMessage(takeMessage(state).state)).toBe(false)
})

test('a long line with a return in it costs time in proportion to its length', () => {
  const line = 'x'.repeat(2_000_000)
  expect(messageOf([`${line}\r${line}`, '\rend'], 100)).toBe('[1999900 bytes not shown]\nend')
})

test('a message never exceeds the bound by more than the count, and cuts between code points', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme', maxLength: 40 })),
      fc.integer({ min: 16, max: 64 }),
      (pieces, bound) => {
        const { pending } = append(pieces, bound)
        expect(new TextEncoder().encode(pending).length).toBeLessThanOrEqual(bound)
        expect(new TextDecoder().decode(new TextEncoder().encode(pending))).toBe(pending)
      },
    ),
  )
})
