import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { cleanLine, cleanText, initialControlState, stripControls } from '../../src/index.js'

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
    ['a line end inside a sequence', 'a\u001b[3\n1mb', 'a\nb'],
    ['a sequence that other text breaks off', '\u001b[終端 \u001b😀', '終端 😀'],
    ['a string that other text breaks off after ESC', '\u001b]0;t\u001b語', '語'],
    ['a sequence that a single control breaks off', '\u001b[3\u0085text', 'text'],
    ['halves of pairs', 'a\ud83d b\ude00', 'a\ufffd b\ufffd'],
  ])('%s', (_, input, output) => {
    expect(stripPieces([input])).toBe(output)
  })

  test('tabs, line ends and other scripts stay', () => {
    expect(stripPieces(['a\tb\r\nü 終端 😀\n'])).toBe('a\tb\r\nü 終端 😀\n')
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

describe('cleanText', () => {
  it.each([
    ['leaves ordinary text, tabs and angle brackets alone', '<name>\t&amp; é 🐚\n', '<name>\t&amp; é 🐚\n'],
    ['drops colours', '\x1b[1;31mred\x1b[0m', 'red'],
    [
      'drops titles, clearing and device control strings with their content (B101)',
      '\x1b]0;x\x07\x1b[2J\x1bP+q\x1b\\hi\n',
      'hi\n',
    ],
    ['drops the 8-bit forms', '\x9b31mred\x9d0;title\x9c!', 'red!'],
    [
      'drops application, privacy and start-of-string messages',
      'a\x1b_secret\x1b\\b\x1b^x\x1b\\c\x1bXy\x1b\\d',
      'abcd',
    ],
    ['swallows an unterminated control string', 'a\x1b]52;c;QUJD', 'a'],
    ['drops a lone escape at the end', 'a\x1b', 'a'],
    ['drops charset selections', '\x1b(Bx\x1b#8', 'x'],
    ['makes every line end a line feed', 'a\r\nb\rc', 'a\nb\nc'],
    ['drops bells, backspaces, nulls and DEL', 'a\x07b\x08c\x00d\x7f', 'abcd'],
    ['replaces lone surrogates', 'a\ud800b', 'a\ufffdb'],
  ])('%s', (_title, text, expected) => {
    expect(cleanText(text)).toBe(expected)
  })

  it('leaves nothing that a terminal would act on, whatever comes', () => {
    const pieces = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\x1b', '\x1b[', '\x1b]', '\x9d', '\x07', '\x1b\\', '\r', '\n', '31m'),
    )
    fc.assert(
      fc.property(fc.array(pieces), (parts) => {
        const text = cleanText(parts.join(''))
        expect(text).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]|\p{Surrogate}/u)
        expect(cleanText(text)).toBe(text)
      }),
    )
  })
})

describe('cleanLine', () => {
  it('makes one line of what spans several', () => {
    expect(cleanLine('a\n\tb\u2028c')).toBe('a b c')
  })

  it('cuts the middle of a long line', () => {
    expect(cleanLine('x'.repeat(100), 21)).toBe(`${'x'.repeat(9)}…${'x'.repeat(9)}`)
  })
})
