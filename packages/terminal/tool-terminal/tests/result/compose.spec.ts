import { utf8Length } from '@agent-terminals/text'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { composeText, type Fact } from '../../src/result/compose.js'

const essential = (text: string, short = text): Fact => ({ text, short, isEssential: true })

describe('composeText', () => {
  it('puts facts below the output, one per line', () => {
    expect(composeText('out\n', [{ text: 'one' }, { text: 'two' }], 100).text).toBe('out\n[one]\n[two]')
  })

  it('separates output without a line end from the facts', () => {
    expect(composeText('>>> ', [{ text: 'fact' }], 100).text).toBe('>>> \n[fact]')
  })

  it('adds nothing to output without facts', () => {
    expect(composeText('out\n', [], 100).text).toBe('out\n')
  })

  it('cuts the middle of the output and keeps the facts', () => {
    const { text, omittedBytes } = composeText(`${'a'.repeat(500)}${'z'.repeat(500)}`, [essential('exit 7')], 200)
    expect(text).toMatch(/^a+\n\[\d+ bytes omitted\]\nz+\n\[exit 7\]$/)
    expect(omittedBytes).toBeGreaterThan(800)
  })

  it('says facts in short when room is short', () => {
    const facts = [essential('session t-1 "name": shell, pid 4242, cwd /somewhere/deep', 'session t-1')]
    expect(composeText('', facts, 40).text).toBe('[session t-1]')
  })

  it('drops facts that are not essential before it drops an essential one', () => {
    const facts = [{ text: 'a note that is rather long and not essential' }, essential('exit 7')]
    expect(composeText('', facts, 40).text).toBe('[exit 7]')
  })

  it('keeps the bound, the essential facts and whole code points for any content', () => {
    const fact = fc.record({ text: fc.string({ unit: 'grapheme', maxLength: 80 }) })
    const content = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 400 }),
      fc.string({ unit: 'binary', maxLength: 200 }),
    )
    fc.assert(
      fc.property(
        content,
        fc.array(fact, { maxLength: 5 }),
        fc.integer({ min: 64, max: 600 }),
        (output, extra, maxBytes) => {
          const facts = [
            ...extra,
            essential('job terminal-123 with a long explanation that may go', 'job terminal-123'),
          ]
          const { text, body } = composeText(output, facts, maxBytes)
          expect(utf8Length(text)).toBeLessThanOrEqual(maxBytes)
          expect(text).toContain('[job terminal-123')
          expect(text.startsWith(body)).toBe(true)
          expect(text.replace(output, '')).not.toMatch(/\p{Surrogate}/u)
        },
      ),
    )
  })
})
