import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cleanText, initialControlState, stripControls } from '../../src/core/control-text.js'

function stripPieces(pieces: readonly string[]): string {
  let state = initialControlState
  let text = ''
  for (const piece of pieces) {
    const step = stripControls(state, piece)
    state = step.state
    text += step.text
  }
  return text
}

describe('control functions are left out with their content', () => {
  test.each([
    ['colours', '\u001b[1;31mred\u001b[0m', 'red'],
    ['B101', '\u001b]0;x\u0007\u001b[2J\u001bP+q\u001b\\hi\n', 'hi\n'],
    ['a title ended by ST', '\u001b]0;title\u001b\\text', 'text'],
    ['a device control string', '\u001bPq#0;2;0\u001b\\text', 'text'],
    ['APC, PM and SOS', '\u001b_a\u001b\\\u001b^b\u001b\\\u001bXc\u001b\\text', 'text'],
    ['the 8-bit forms', '\u009b31m\u009d0;t\u009ctext\u0090q\u009c', 'text'],
    ['a character set', '\u001b(Btext', 'text'],
    ['a keypad mode', '\u001b=text', 'text'],
    ['a sequence that is broken off', '\u001b[31\u0018text', 'text'],
    ['an escape inside a string', '\u001b]0;t\u001b[31mtext', 'text'],
    ['bells, backspaces, DEL', 'a\u0007\b\u007fb', 'ab'],
    ['a string without an end', 'before\u001b]52;c;aGk=', 'before'],
    ['halves of pairs', 'a\ud83d b\ude00', 'a\ufffd b\ufffd'],
  ])('%s', (_, input, output) => {
    expect(stripPieces([input])).toBe(output)
  })

  test('tabs, line ends and other scripts stay', () => {
    expect(stripPieces(['a\tb\r\nü 終端 😀\n'])).toBe('a\tb\r\nü 終端 😀\n')
  })

  test('line ends become line feeds in a whole text', () => {
    expect(cleanText('a\r\nb\rc\ud800')).toBe('a\nb\nc\ufffd')
  })
})

const unit = fc.oneof(
  fc.constantFrom(
    '\u001b',
    '[',
    ']',
    '\\',
    'P',
    '\u0007',
    '\u009b',
    '\u009d',
    '\u009c',
    ';',
    '3',
    'm',
    '\n',
    '\r',
    '\ud83d',
    '\ude00',
  ),
  fc.string({ unit: 'binary', maxLength: 3 }),
)

test('however output is split, the text is the same', () => {
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 40 }), (units) => {
      const whole = units.join('')
      const single = [...Array(whole.length).keys()].map((index) => whole.charAt(index))
      expect(stripPieces(units)).toBe(stripPieces([whole]))
      expect(stripPieces(single)).toBe(stripPieces([whole]))
    }),
  )
})

test('no control character but tabs and line ends is ever left', () => {
  fc.assert(
    fc.property(fc.array(unit), (units) => {
      expect(stripPieces(units)).not.toMatch(
        /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|(?<![\ud800-\udbff])[\udc00-\udfff]/,
      )
    }),
  )
})
