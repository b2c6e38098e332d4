import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allText, feedText, makeOutput, startSeen, textOf } from './harness.js'

const ESC = '\u001b'
/** So wide that no line is folded: the reference knows no rows. */
const WIDE = { columns: 100_000 }

/** The text model again, as simply as it can be said: one array of characters per line, one column each. */
function reference(operations: readonly Operation[]): string {
  const lines: string[][] = [[]]
  let column = 0
  for (const { kind, count = 1, text = '' } of operations) {
    const line = lines[lines.length - 1] as string[]
    const pad = (): void => {
      while (line.length < column) line.push(' ')
    }
    if (kind === 'text') {
      for (const character of text) {
        pad()
        line[column] = character
        column += 1
      }
    } else if (kind === 'CR') column = 0
    else if (kind === 'LF') {
      lines.push([])
      column = 0
    } else if (kind === 'BS' || kind === 'CUB') column = Math.max(0, column - count)
    else if (kind === 'CUF') column += count
    else if (kind === 'CHA') column = count - 1
    else if (kind === 'EL0') line.length = Math.min(line.length, column)
    else if (kind === 'EL1') for (let i = 0; i <= column && i < line.length; i += 1) line[i] = ' '
    else if (kind === 'EL2') line.length = 0
    else if (kind === 'ECH') for (let i = column; i < column + count && i < line.length; i += 1) line[i] = ' '
    else if (kind === 'DCH') line.splice(column, count)
    else if (kind === 'ICH' && column < line.length) line.splice(column, 0, ...' '.repeat(count))
  }
  return withoutBlankEnd(lines.map((line) => line.join('').trimEnd()))
}

/** Lines as text. Whether an open line of nothing but blanks is shown hangs on how they came there, and is left out here. */
function withoutBlankEnd(lines: readonly string[]): string {
  return (lines.at(-1) === '' ? lines.slice(0, -1) : lines).join('\n')
}

interface Operation {
  readonly kind: string
  readonly count?: number
  readonly text?: string
  readonly bytes: string
}

const counted = (kind: string, final: string): fc.Arbitrary<Operation> =>
  fc.integer({ min: 1, max: 12 }).map((count) => ({ kind, count, bytes: `${ESC}[${count}${final}` }))
const fixed = (kind: string, bytes: string): fc.Arbitrary<Operation> => fc.constant({ kind, bytes })

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 8, arbitrary: fc.string({ maxLength: 12 }).map((text) => ({ kind: 'text', text, bytes: text })) },
  { weight: 2, arbitrary: fc.constantFrom('é', 'ß', '█', '✔').map((text) => ({ kind: 'text', text, bytes: text })) },
  { weight: 3, arbitrary: fixed('CR', '\r') },
  { weight: 2, arbitrary: fixed('LF', '\r\n') },
  { weight: 2, arbitrary: fixed('BS', '\b') },
  fixed('EL0', `${ESC}[K`),
  fixed('EL1', `${ESC}[1K`),
  fixed('EL2', `${ESC}[2K`),
  counted('CUB', 'D'),
  counted('CUF', 'C'),
  counted('CHA', 'G'),
  counted('ECH', 'X'),
  counted('DCH', 'P'),
  counted('ICH', '@'),
  // Without effect on text.
  fixed('SGR', `${ESC}[1;31m`),
  fixed('OSC', `${ESC}]0;title${ESC}\\`),
  fixed('DCS', `${ESC}Pq#0;2;0;0;0${ESC}\\`),
)

describe('the text model', () => {
  it('agrees with a simple reference for any edits of lines', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
        const output = makeOutput(WIDE)
        feedText(output, operations.map(({ bytes }) => bytes).join(''))
        const lines = [allText(output)].flatMap((text) => text.split('\n')).map((line) => line.trimEnd())
        const isOpenShown = output.currentLine() !== ''
        expect(isOpenShown ? withoutBlankEnd(lines) : lines.join('\n')).toBe(reference(operations))
      }),
      { numRuns: 800 },
    )
  })

  it.each([
    [
      'keeps plain lines byte for byte',
      "'<name>' &amp; \ttab  trailing  \r\nnext",
      "'<name>' &amp; \ttab  trailing  \nnext",
    ],
    ['collapses progress frames to the last one', '\r 10%\r 50%\r100%\r\ndone', '100%\ndone'],
    ['takes CR CR LF as one line end', 'a\r\r\nb', 'a\nb'],
    ['drops colours, titles and device strings', `${ESC}]0;x\u0007${ESC}[2J${ESC}P+q${ESC}\\hi\n`, 'hi'],
    ['drops clipboard writes', `${ESC}]52;c;aGVsbG8=\u0007ok`, 'ok'],
    ['drops C1 controls and what they introduce', 'a\u009b31mb\u009dtitle\u009cc\u0090q\u009cd', 'abcd'],
    ['replaces half of a wide character by a blank', '日本\r\u001b[Cx', ' x本'],
    ['keeps combining characters with their base after an edit', 'ae\u0301z\rA', 'Ae\u0301z'],
    ['keeps a line above that a program redraws', 'one\r\ntwo\r\n\u001b[2Auno\r\n\u001b[Bthree', 'uno\ntwo\nthree'],
    ['ignores what is drawn on the alternate screen', `a\r\n${ESC}[?1049h${ESC}[5;5Hdrawn${ESC}[?1049lb`, 'a\nb'],
    ['ignores a status line drawn elsewhere', `a${ESC}7${ESC}[24;0fProgress: 10%${ESC}8b`, 'ab'],
    ['goes on in a new line when the screen is cleared', `a${ESC}[H${ESC}[2Jb`, 'a\nb'],
    [
      'ignores a status line whose end brings back a cursor saved by CSI s',
      `a${ESC}[s${ESC}[24;1HStatus${ESC}[ub`,
      'ab',
    ],
    ['goes on after a status line that ends with a line feed', `a${ESC}7${ESC}[24;1HStatus\nb`, 'a\nb'],
    ['comes back to a saved line below', `one\r\ntwo\r\nthr${ESC}7${ESC}[2A\rONE${ESC}8ee`, 'ONE\ntwo\nthree'],
    ['comes back to a saved line that has been erased since', `a\r\nb${ESC}7${ESC}[A\r${ESC}[JX${ESC}8Y`, 'X\n Y'],
    ['replaces ill-formed UTF-8 once per run', 'a\u00e9', 'a\u00e9'],
  ])('%s', (_title, input, expected) => {
    expect(textOf(input)).toBe(expected)
  })

  it.each([
    ['is not erased to the right', `x\r0123456789${ESC}[K`, '0123456789'],
    ['lets the cursor go no further', `x\r0123456789${ESC}[5Cab`, '0123456789ab'],
    ['keeps its column on the way up', `x\r01234567890123456789${ESC}[AY`, '012345678Y0123456789'],
  ])('a row that is full to its last column %s', (_title, input, expected) => {
    expect(textOf(input, { columns: 10 })).toBe(expected)
  })

  it('goes on as bytes in an edited line that has grown too long for cells', () => {
    const output = makeOutput()
    const viewport = output.startViewport({})
    feedText(output, `x\r${'a'.repeat(40_000)}b`)
    expect(allText(output)).toBe(`${'a'.repeat(40_000)}b`)
    expect(viewport.stop()).toEqual({ text: `${'a'.repeat(40_000)}b`, omittedLines: 0, omittedBytes: 0 })
  })

  it('counts what is missing of such a line that goes on beyond what a line may hold', () => {
    const output = makeOutput()
    const viewport = output.startViewport({})
    feedText(output, `x\r${'a'.repeat(300_000)}`)
    expect(viewport.snapshot().text).toMatch(/^a+$/)
    feedText(output, '\r\nend')
    const { text, omittedBytes } = viewport.stop()
    expect(text).toMatch(/^a+\nend$/)
    expect(omittedBytes).toBeGreaterThan(0)
  })

  it('goes on below when such a line has others below it', () => {
    const lines = textOf(`a\r\nbelow${ESC}[A\r${'x'.repeat(40_000)}`).split('\n')
    expect(lines).toHaveLength(3)
    expect(lines[1]).toBe('below')
    expect(`${lines[0]}${lines[2]}`).toBe('x'.repeat(40_000))
  })

  it('replaces each maximal ill-formed run once, as the WHATWG decoder does', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0x80, max: 0xff }), { maxLength: 20 }), (high) => {
        const bytes = Uint8Array.from([0x61, ...high, 0x62])
        const output = makeOutput(WIDE)
        output.feed(bytes, startSeen().sink)
        const decoded = new TextDecoder().decode(bytes)
        // Decoded C1 controls are controls, and may open a string that goes on.
        fc.pre(!/[\u0080-\u009f]/.test(decoded))
        expect(allText(output)).toBe(decoded)
      }),
    )
  })

  it('keeps fifty thousand wide characters fed in small pieces', () => {
    const text = '漢'.repeat(50_000)
    const bytes = new TextEncoder().encode(text)
    const output = makeOutput({ maxLineBytes: 200_000, maxReadBytes: 200_000 })
    for (let i = 0; i < bytes.length; i += 4095) output.feed(bytes.subarray(i, i + 4095), startSeen().sink)
    expect(allText(output)).toBe(text)
  })

  it('cuts a huge line with a count', () => {
    const output = makeOutput()
    for (let i = 0; i < 100; i += 1) feedText(output, 'x'.repeat(10_000))
    feedText(output, '\r\nafter')
    const [line = '', after] = allText(output).split('\n')
    expect(after).toBe('after')
    const [, head = '', count = '', tail = ''] = /^(x+) … ([\d,]+) bytes left out … (x+)$/.exec(line) ?? []
    expect(head.length + tail.length + Number(count.replaceAll(',', ''))).toBe(1_000_000)
    expect(line.length).toBeLessThanOrEqual(262_144)
  })
})
