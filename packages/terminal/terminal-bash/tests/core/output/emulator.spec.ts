/** Differential test: what the text model keeps is what a terminal emulator shows, folded rows joined. */
import { readdirSync, readFileSync } from 'node:fs'
import xterm from '@xterm/headless'
import { describe, expect, it } from 'vitest'
import { allText, encoder, makeOutput, startSeen } from './harness.js'

const CAPTURES = new URL('../../fixtures/captures/', import.meta.url)
const ROWS = 24

interface Row {
  readonly text: string
  readonly isFolded: boolean
}

async function emulatorRows(bytes: Uint8Array, columns: number): Promise<Row[]> {
  const terminal = new xterm.Terminal({ cols: columns, rows: ROWS, scrollback: 100_000, allowProposedApi: true })
  await new Promise<void>((resolve) => terminal.write(bytes, resolve))
  const { active } = terminal.buffer
  const rows: Row[] = []
  for (let y = 0; y < active.length; y += 1) {
    const row = active.getLine(y)
    if (row === undefined) continue
    const isFolded = active.getLine(y + 1)?.isWrapped === true
    // A wide character that did not fit leaves the last cell empty; it is no blank of the text.
    const isSkipped = isFolded && row.getCell(columns - 1)?.getChars() === ''
    rows.push({ text: row.translateToString(!isFolded, 0, isSkipped ? columns - 1 : columns), isFolded })
  }
  terminal.dispose()
  return rows
}

async function emulatorLines(bytes: Uint8Array, columns: number): Promise<string[]> {
  const lines: string[] = []
  let start = ''
  for (const { text, isFolded } of await emulatorRows(bytes, columns)) {
    start += text
    if (isFolded) continue
    lines.push(start)
    start = ''
  }
  return trimmed(lines)
}

async function shownRows(bytes: Uint8Array, columns: number): Promise<string[]> {
  return trimmed((await emulatorRows(bytes, columns)).map(({ text }) => text))
}

function modelLines(bytes: Uint8Array, columns: number): string[] {
  const output = makeOutput({ columns, rows: ROWS })
  output.feed(bytes, startSeen().sink)
  return trimmed(allText(output).split('\n').map(withoutTabs))
}

/** Neither blanks at the end nor the empty rows below the text are text. */
function trimmed(lines: readonly string[]): string[] {
  const kept = lines.map((line) => line.trimEnd())
  while (kept.at(-1) === '') kept.pop()
  return kept
}

function withoutTabs(line: string): string {
  let shown = ''
  for (const character of line) shown += character === '\t' ? ' '.repeat(8 - (shown.length % 8)) : character
  return shown
}

const captures = readdirSync(CAPTURES)
  .filter((file) => file.endsWith('.bin'))
  .sort()

describe('the text model against an emulator', () => {
  it('has captures of at least 20 programs', () => {
    expect(captures.length).toBeGreaterThanOrEqual(20)
  })

  it.each(captures)('keeps the lines of %s', async (file) => {
    const bytes = readFileSync(new URL(file, CAPTURES))
    const columns = Number(file.split('.').at(-2))
    const lines = modelLines(bytes, columns)
    expect(await shownRows(encoder.encode(lines.join('\r\n')), columns)).toEqual(await shownRows(bytes, columns))
    // A line editor's redraw makes the emulator forget which rows belong together; the text model keeps them.
    if (!file.startsWith('bash-editing')) expect(lines).toEqual(await emulatorLines(bytes, columns))
  })

  it.each([40, 80, 120])('keeps a command edited in bash at %d columns in one line', (columns) => {
    const lines = modelLines(readFileSync(new URL(`bash-editing-${columns}.${columns}.bin`, CAPTURES)), columns)
    const sentence = 'the quick brown fox jumps over the lazy dog and runs far away from here today'
    expect(lines.slice(0, 5)).toEqual([
      `$ echo ${sentence}`,
      sentence,
      `$ # echo ${sentence}`,
      `$ echo ${sentence}`,
      sentence,
    ])
  })

  it.each([
    ['a wide character at the right edge', 4, 'abc日d'],
    ['a wide character after a full row', 4, 'abcd日d'],
    ['an erased end of a full row', 10, '0123456789\u001b[Kab\r\n'],
    ['a return after a full row', 10, '0123456789\rX\r\n'],
    ['a return on the second row', 10, '0123456789ab\rX\r\n'],
    ['a step back on a full row', 10, '0123456789\bX\r\n'],
    ['a motion up within a folded line', 10, '0123456789abcdefghij12\u001b[2A\rX\u001b[2B\r\n'],
    ['deleted and inserted characters', 20, 'abcdef\r\u001b[2P\u001b[C\u001b[3@X\r\n'],
    ['erased characters', 20, 'abcdef\r\u001b[2X\u001b[4GZ\r\n'],
    ['half of a wide character overwritten', 20, '日本\r\u001b[CX\r\n'],
    ['a combining mark after a motion', 20, 'ab\r\u001b[Ce\u0301\r\n'],
    ['a tab over text', 20, 'abcdefghij\r\tX\r\n'],
  ])('keeps %s', async (_what, columns, text) => {
    const bytes = encoder.encode(text)
    expect(modelLines(bytes, columns)).toEqual(await emulatorLines(bytes, columns))
  })
})
