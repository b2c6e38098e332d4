/** Feeds bytes in any cut and keeps everything that comes out. */
import fc from 'fast-check'
import { createTerminalOutput, type TerminalOutputOptions } from '../../../src/core/output/output.js'
import type { ModeChange, OutputSink, ShellMark, TerminalOutput } from '../../../src/core/output/types.js'

export const NONCE = '4f1a9c'
export const encoder = new TextEncoder()

export const OPTIONS: TerminalOutputOptions = {
  nonce: NONCE,
  columns: 80,
  rows: 24,
  scrollbackLines: 1000,
  scrollbackMaxBytes: 1_000_000,
  maxReadBytes: 262_144,
}

export interface Seen {
  readonly raw: number[]
  readonly marks: ShellMark[]
  readonly titles: string[]
  readonly modes: ModeChange[]
  readonly queries: string[]
  /** Marks, titles, modes and queries with the number of raw bytes passed on before each. */
  readonly order: string[]
}

export function startSeen(): { readonly seen: Seen; readonly sink: OutputSink } {
  const seen: Seen = { raw: [], marks: [], titles: [], modes: [], queries: [], order: [] }
  const note = (what: unknown): void => {
    seen.order.push(`${seen.raw.length}:${JSON.stringify(what)}`)
  }
  const sink: OutputSink = {
    raw: (bytes) => {
      for (const byte of bytes) seen.raw.push(byte)
    },
    mark: (mark) => {
      seen.marks.push(mark)
      note(mark)
    },
    title: (title) => {
      seen.titles.push(title)
      note(title)
    },
    mode: (mode) => {
      seen.modes.push(mode)
      note(mode)
    },
    query: (query) => {
      seen.queries.push(query)
      note(query)
    },
  }
  return { seen, sink }
}

/** Feed `bytes` cut at `cuts`. */
export function feedCut(output: TerminalOutput, bytes: Uint8Array, cuts: readonly number[], sink: OutputSink): void {
  const borders = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b)
  let from = 0
  for (const to of [...borders, bytes.length]) {
    if (to > from) output.feed(bytes.slice(from, to), sink)
    from = to
  }
}

export function feedText(output: TerminalOutput, text: string, sink: OutputSink = startSeen().sink): void {
  output.feed(encoder.encode(text), sink)
}

export function makeOutput(options: Partial<TerminalOutputOptions> = {}): TerminalOutput {
  return createTerminalOutput({ ...OPTIONS, ...options })
}

export function allText(output: TerminalOutput): string {
  return output.page({ lines: 1_000_000 }).text
}

export function textOf(input: string, options: Partial<TerminalOutputOptions> = {}): string {
  const output = makeOutput(options)
  feedText(output, input)
  return allText(output)
}

const text = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength: 30 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('日本語', 'é', 'e\u0301', '👩‍💻', '𝒳', '\u0085', '\u009b1K', '\u009d0;t\u009c'),
  },
)
const control = fc.constantFrom('\r', '\n', '\r\n', '\b', '\t', '\u0018', '\u001a', '\u0007', '\u000b', '\u007f')
const sequence = fc
  .tuple(
    fc.constantFrom('', '?', '>', '!'),
    fc.array(fc.constantFrom(0, 1, 2, 5, 7, 25, 47, 1049, 2004, 70_000), { maxLength: 3 }),
    fc.constantFrom(...'@ABCDEFGHJKLMPSTXcdefhlmnprsu`~'.split('')),
  )
  .map(([marker, params, final]) => `\u001b[${marker}${params.join(';')}${final}`)
const string = fc.constantFrom(
  '\u001b]0;title\u0007',
  '\u001b]2;t\u001b\\',
  '\u001bP+q544e\u001b\\',
  '\u001b_app\u001b\\',
  '\u001b^pm',
  '\u001bXsos\u0018',
  '\u001b]52;c;aGk=\u0007',
  '\u001b7',
  '\u001b8',
  '\u001bD',
  '\u001bE',
  '\u001bM',
  '\u001b(B',
  '\u001b=',
  '\u001bc',
  '\u001b',
  '\u001b]',
  '\u001b[',
)
const mark = fc.constantFrom(
  `\u001b]6973;${NONCE};prompt-start\u0007`,
  `\u001b]6973;${NONCE};command-end;0\u001b\\`,
  `\u001b]6973;${NONCE};cwd;/tmp/日本;x\u0007`,
  `\u001b]6973;${NONCE};never\u001b[K`,
  '\u001b]6973;wrong;prompt-start\u0007',
  `\u001b]6973;${NONCE.slice(0, 3)}`,
)
const bytes = fc.uint8Array({ maxLength: 8 })

/** What terminals receive, and what they should never receive. */
export const terminalBytes: fc.Arbitrary<Uint8Array> = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: text.map((value) => encoder.encode(value)) },
      { weight: 4, arbitrary: control.map((value) => encoder.encode(value)) },
      { weight: 3, arbitrary: sequence.map((value) => encoder.encode(value)) },
      { weight: 1, arbitrary: string.map((value) => encoder.encode(value)) },
      { weight: 1, arbitrary: mark.map((value) => encoder.encode(value)) },
      { weight: 1, arbitrary: bytes },
    ),
    { maxLength: 40 },
  )
  .map((parts) => Uint8Array.from(parts.flatMap((part) => [...part])))

export const cuts: fc.Arbitrary<number[]> = fc.array(fc.nat(2000), { maxLength: 12 })
