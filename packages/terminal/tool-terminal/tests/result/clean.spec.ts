import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanLine, cleanText, titleOf } from '../../src/result/clean.js'

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

describe('titleOf', () => {
  it.each([
    ['takes the first line with something in it', '\n  make test\necho done', 'make test'],
    ['shows control characters in caret notation', '\x03', '^C'],
    ['is empty for nothing', '', ''],
  ])('%s', (_title, text, expected) => {
    expect(titleOf(text)).toBe(expected)
  })
})
