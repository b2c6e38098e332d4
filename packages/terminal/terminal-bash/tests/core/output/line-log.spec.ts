import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LineLog, type LineLogLimits } from '../../../src/core/output/line-log.js'
import { PlainScan } from '../../../src/core/output/plain-scan.js'
import { encoder } from './harness.js'

const decoder = new TextDecoder()
/** The ring is as small as it can be: it is full after some 50 KB. */
const LIMITS: LineLogLimits = { maxLines: 60, maxBytes: 3_000, maxLineBytes: 256 }
const RING_BYTES = 60_000

const textOf = (log: LineLog, line: number) => decoder.decode(log.slice(log.startOf(line), log.endOf(line)))

/** A log that has been around its ring: what is in it now lies across the end of the ring at some moment. */
function startWorn(bytes: number, limits = LIMITS): LineLog {
  const log = new LineLog(limits)
  for (let written = 0; written < bytes; written += 42) {
    log.append(encoder.encode('a line of forty bytes is what this is ..'))
    log.commit()
  }
  return log
}

const words = fc.string({ unit: fc.constantFrom('a', 'b', ' ', 'é', '漢', '😀'), maxLength: 40, size: 'max' })

it('retains whole lines wherever they lie in the ring', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: RING_BYTES - 2_000, max: RING_BYTES + 2_000 }),
      fc.array(words, { minLength: 1, maxLength: 120, size: 'max' }),
      fc.boolean(),
      (worn, lines, isPlain) => {
        const log = startWorn(worn)
        const offset = log.count
        for (const line of lines) {
          const bytes = encoder.encode(isPlain ? `${line}\r\n` : line)
          if (isPlain) {
            let from = 0
            while (from < bytes.length) from = log.appendPlain(new PlainScan(bytes), from, bytes.length)
          } else {
            log.append(bytes)
            log.commit()
          }
        }
        expect(log.count).toBe(offset + lines.length)
        for (let line = Math.max(offset, log.first); line < log.count; line += 1) {
          expect(textOf(log, line)).toBe(lines[line - offset])
        }
        const retained = Array.from({ length: log.count - log.first }, (_, index) => textOf(log, log.first + index))
        expect(retained.length).toBeLessThanOrEqual(LIMITS.maxLines)
        expect(encoder.encode(`${retained.join('\n')}\n`).length).toBeLessThanOrEqual(LIMITS.maxBytes)
      },
    ),
    { numRuns: 60 },
  )
}, 120_000)

it.each([256, 8_192])('cuts a line of more than %d bytes the same wherever it lies in the ring', (maxLineBytes) => {
  const long = encoder.encode(`${'é'.repeat(30_000)}end`)
  const cutAfter = (bytes: number) => {
    const log = startWorn(bytes, { ...LIMITS, maxLineBytes })
    log.append(long)
    const open = decoder.decode(log.openLine())
    const omitted = log.openOmitted
    expect(log.commit()).toBe(omitted)
    expect(textOf(log, log.count - 1)).toBe(open)
    return { open, omitted }
  }
  const { open, omitted } = cutAfter(0)
  expect(open).toMatch(/^é+ … [\d,]+ bytes left out … é+end$/)
  for (let worn = 1_000; worn < RING_BYTES; worn += 1_009) expect(cutAfter(worn)).toEqual({ open, omitted })
})

it('takes back its newest line unless that is longer than asked for', () => {
  const log = new LineLog(LIMITS)
  expect(log.reopen(100)).toBe(false)
  log.append(encoder.encode('short'))
  log.commit()
  expect(log.reopen(3)).toBe(false)
  expect(log.reopen(100)).toBe(true)
  expect(decoder.decode(log.openLine())).toBe('short')
  expect(log.reopen(100)).toBe(false)
})
