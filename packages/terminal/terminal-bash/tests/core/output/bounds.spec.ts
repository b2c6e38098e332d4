import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cuts, encoder, feedCut, makeOutput, startSeen, terminalBytes } from './harness.js'

const size = (text: string): number => encoder.encode(text).length
const FORBIDDEN = /[\0-\x08\x0b-\x1f\x7f-\x9f]/

describe('bounds', () => {
  it('hold for pages, viewports and lines whatever arrives', () => {
    const limits = fc.record({
      scrollbackLines: fc.integer({ min: 1, max: 8 }),
      scrollbackMaxBytes: fc.integer({ min: 128, max: 400 }),
      maxReadBytes: fc.integer({ min: 64, max: 300 }),
      viewportMaxBytes: fc.integer({ min: 128, max: 400 }),
      columns: fc.integer({ min: 2, max: 100 }),
    })
    const many = fc
      .array(terminalBytes, { maxLength: 6 })
      .map((parts) => Uint8Array.from(parts.flatMap((part) => [...part])))
    fc.assert(
      fc.property(
        many,
        cuts,
        limits,
        fc.nat(12),
        fc.integer({ min: 1, max: 12 }),
        (bytes, at, options, offset, lines) => {
          const output = makeOutput(options)
          const viewport = output.startViewport({})
          feedCut(output, bytes, at, startSeen().sink)
          const page = output.page({ offset, lines })
          expect(size(page.text)).toBeLessThanOrEqual(options.maxReadBytes)
          expect(page.totalLines).toBeLessThanOrEqual(options.scrollbackLines)
          expect(page.text).not.toMatch(FORBIDDEN)
          const { text } = viewport.stop()
          expect(size(text)).toBeLessThanOrEqual(options.viewportMaxBytes)
          expect(text).not.toMatch(FORBIDDEN)
          expect(output.currentLine()).not.toMatch(FORBIDDEN)
        },
      ),
      { numRuns: 600 },
    )
  })
})
