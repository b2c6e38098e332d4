import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TerminalOutputOptions } from '../../../src/core/output/output.js'
import { cuts, feedCut, makeOutput, NONCE, startSeen, terminalBytes } from './harness.js'

/** Everything that can be observed after feeding the bytes in one cut. */
function observe(
  bytes: Uint8Array,
  at: readonly number[],
  options: Partial<TerminalOutputOptions>,
  echo?: string,
): unknown {
  const output = makeOutput(options)
  const viewport = output.startViewport(echo === undefined ? {} : { echo })
  const { seen, sink } = startSeen()
  const suppressing = {
    ...sink,
    mark: (mark: Parameters<typeof sink.mark>[0]) => {
      viewport.suppress(mark.kind === 'prompt-start')
      sink.mark(mark)
    },
  }
  feedCut(output, bytes, at, suppressing)
  const page = output.page({ lines: 1_000_000 })
  return { seen, page, line: output.currentLine(), column: output.cursorColumn(), viewport: viewport.snapshot() }
}

const encode = (text: string) => new TextEncoder().encode(text)
const MARK = `\x1b]6973;${NONCE};prompt-start\x07`
/** Found by long runs: a mark switched a mode off, and what followed the mark was passed on before it. */
const FOUND: [Uint8Array, number[]][] = [
  [encode(`${MARK}\x1b[?25l${MARK} `), [281]],
  [encode(`\x1b[?1049h\x1b[@\r\r    \x1b[@\0\0\0\0\0\0\0\0${MARK}\x1b[@`), [323]],
]

const everyByte = (bytes: Uint8Array): number[] => Array.from(bytes, (_, i) => i)

describe('output fed in pieces', () => {
  it('gives the same text, raw stream, marks and modes for any cut of any bytes', () => {
    fc.assert(
      fc.property(terminalBytes, cuts, (bytes, at) => {
        const whole = observe(bytes, [], {})
        expect(observe(bytes, at, {})).toEqual(whole)
        expect(observe(bytes, everyByte(bytes), {})).toEqual(whole)
      }),
      { numRuns: 600, examples: FOUND },
    )
  })

  it('gives the same for bounds so small that everything is cut', () => {
    const options = {
      columns: 9,
      rows: 4,
      scrollbackLines: 5,
      scrollbackMaxBytes: 200,
      maxLineBytes: 80,
      viewportMaxBytes: 300,
    }
    fc.assert(
      fc.property(terminalBytes, cuts, (bytes, at) => {
        const whole = observe(bytes, [], options)
        expect(observe(bytes, at, options)).toEqual(whole)
        expect(observe(bytes, everyByte(bytes), options)).toEqual(whole)
      }),
      { numRuns: 600, examples: FOUND },
    )
  })

  it('gives the same while an echo is looked for', () => {
    const lines = fc.array(fc.constantFrom('print(1)', '1', '>>> ', '... x', 'x'), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(lines, lines, cuts, (shown, typed, at) => {
        const bytes = new TextEncoder().encode(shown.join('\r\n'))
        expect(observe(bytes, at, {}, typed.join('\n'))).toEqual(observe(bytes, [], {}, typed.join('\n')))
      }),
    )
  })

  it('gives the same for long lines cut out of the middle', () => {
    const piece = fc.constantFrom('x'.repeat(9000), '日'.repeat(3000), '\rback', '\u001b[3D', '\r\n', 'é\t', '\u001b[K')
    const options = { maxLineBytes: 6000, scrollbackMaxBytes: 20_000 }
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.array(fc.nat(100_000), { maxLength: 12 }), (pieces, at) => {
        const bytes = new TextEncoder().encode(pieces.join(''))
        expect(observe(bytes, at, options)).toEqual(observe(bytes, [], options))
      }),
      { numRuns: 100 },
    )
  })
})

describe('the raw stream', () => {
  it('is the input without our marks', () => {
    const pattern = new RegExp(`\\u001b\\]6973;${NONCE};[^\\u0000-\\u001f]*(?:\\u0007|\\u001b\\\\)`, 'g')
    fc.assert(
      fc.property(terminalBytes, cuts, (bytes, at) => {
        const { seen, sink } = startSeen()
        feedCut(makeOutput(), bytes, at, sink)
        // Latin-1 keeps bytes apart.
        const latin = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
        const expected = latin.replace(pattern, '')
        const raw = String.fromCharCode(...seen.raw)
        expect(expected.startsWith(raw)).toBe(true)
        // Held back: only what may still become a mark.
        const held = expected.slice(raw.length)
        expect(
          held === '' || `\u001b]6973;${NONCE};`.startsWith(held) || held.startsWith(`\u001b]6973;${NONCE};`),
        ).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})
