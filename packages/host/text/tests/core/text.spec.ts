import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  clipHead,
  clipMiddle,
  clipTail,
  clipWithSuffix,
  renderOmitted,
  SHORT_MARKER,
  utf8Length,
} from '../../src/index.js'

const encodedLength = (text: string) => new TextEncoder().encode(text).length
const hasBrokenPair = (text: string) =>
  /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text)

const text = fc.string({ unit: fc.constantFrom('a', '\n', 'é', '語', '🐚', '\0'), maxLength: 200 })
const anyUnits = fc.string({ unit: fc.constantFrom('a', '\ud83d', '\udc1a', '語'), maxLength: 40 })
const bound = fc.integer({ min: 0, max: 300 })

describe('utf8Length', () => {
  it('equals what an encoder produces, lone surrogates included', () => {
    fc.assert(fc.property(fc.oneof(text, anyUnits), (sample) => utf8Length(sample) === encodedLength(sample)))
  })
})

describe.each([
  ['clipHead', clipHead, (whole: string, part: string) => whole.startsWith(part)],
  ['clipTail', clipTail, (whole: string, part: string) => whole.endsWith(part)],
] as const)('%s', (_name, clip, isPart) => {
  it('keeps an end of the text within the bound and splits no code point', () => {
    fc.assert(
      fc.property(text, bound, (sample, maxBytes) => {
        const part = clip(sample, maxBytes)
        expect(isPart(sample, part)).toBe(true)
        expect(utf8Length(part)).toBeLessThanOrEqual(maxBytes)
        expect(hasBrokenPair(part)).toBe(false)
      }),
    )
  })

  it('keeps as much as fits', () => {
    fc.assert(
      fc.property(text, bound, (sample, maxBytes) => {
        const kept = utf8Length(clip(sample, maxBytes))
        expect(kept === utf8Length(sample) || kept > maxBytes - 4).toBe(true)
      }),
    )
  })

  it('gives nothing for a bound of zero or less', () => {
    expect(clip('abc', 0)).toBe('')
    expect(clip('abc', -5)).toBe('')
  })
})

describe('clipMiddle', () => {
  it('returns a text that fits as it is', () => {
    expect(clipMiddle('🐚 shell', 10)).toEqual({ text: '🐚 shell', omittedBytes: 0, omittedLines: 0 })
  })

  it('keeps both ends around a marker that counts what is missing', () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n')
    const { text: clipped, omittedBytes, omittedLines } = clipMiddle(lines, 100)
    expect(clipped.startsWith('line 0\nline 1')).toBe(true)
    expect(clipped.endsWith('line 98\nline 99')).toBe(true)
    expect(clipped).toContain(`\n[${omittedLines} lines, ${omittedBytes} bytes omitted]\n`)
  })

  it('marks the cut with an ellipsis where the count would take more than half of the room', () => {
    expect(clipMiddle('abcdefghij'.repeat(10), 20).text).toBe('abcdefghi…cdefghij')
  })

  it('keeps the head alone where there is no room for an ellipsis', () => {
    expect(clipMiddle('abcdefghij', 5).text).toBe('abcde')
  })

  it('keeps the bound even with a marker that grows when less is missing', () => {
    const marker = ({ bytes }: { bytes: number }) => (bytes > 90 ? '|' : '|'.repeat(40))
    expect(utf8Length(clipMiddle('x'.repeat(100), 50, { marker }).text)).toBeLessThanOrEqual(50)
  })

  it('stays within every bound, splits nothing and accounts for every byte', () => {
    fc.assert(
      fc.property(text, bound, (sample, maxBytes) => {
        const clipped = clipMiddle(sample, maxBytes)
        expect(utf8Length(clipped.text)).toBeLessThanOrEqual(maxBytes)
        expect(hasBrokenPair(clipped.text)).toBe(false)
        const omitted = { bytes: clipped.omittedBytes, lines: clipped.omittedLines }
        const marker = [renderOmitted(omitted), SHORT_MARKER].find((each) => clipped.text.includes(each)) ?? ''
        const markerBytes = omitted.bytes > 0 ? utf8Length(marker) : 0
        if (omitted.bytes > 0 && maxBytes >= 6) expect(marker).not.toBe('')
        expect(utf8Length(clipped.text) - markerBytes + omitted.bytes).toBe(utf8Length(sample))
      }),
    )
  })
})

describe('clipWithSuffix', () => {
  it('keeps the suffix whole and lets the body give way', () => {
    const { text: clipped } = clipWithSuffix('x'.repeat(500), '\n[exit code 7]', 120)
    expect(clipped.endsWith('x\n[exit code 7]')).toBe(true)
    expect(utf8Length(clipped)).toBeLessThanOrEqual(120)
  })

  it('cuts the end of a suffix that does not fit by itself', () => {
    expect(clipWithSuffix('body', '[jobId terminal-1] and much more', 18).text).toBe('[jobId terminal-1]')
  })

  it('stays within every bound', () => {
    fc.assert(
      fc.property(text, text, bound, (body, suffix, maxBytes) => {
        const clipped = clipWithSuffix(body, suffix, maxBytes)
        expect(utf8Length(clipped.text)).toBeLessThanOrEqual(maxBytes)
        expect(clipped.text.endsWith(clipHead(suffix, maxBytes))).toBe(true)
      }),
    )
  })
})
