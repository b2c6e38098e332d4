/** Places in drawn text. The buffer of xterm.js is the same with and without a browser. */
import { Terminal } from '@xterm/headless'
import { describe, expect, it } from 'vitest'
import { compileQuery, findMatches } from '../../../src/page/core/matches.js'
import { type DrawnBuffer, locate, readLines } from '../../../src/page/terminal/buffer-lines.js'

async function draw(text: string, cols = 10): Promise<DrawnBuffer> {
  const terminal = new Terminal({ allowProposedApi: true, cols, rows: 5, scrollback: 10_000 })
  await new Promise<void>((done) => terminal.write(text, done))
  return terminal
}

function places(drawn: DrawnBuffer, text: string) {
  const pattern = compileQuery({ text, isCaseSensitive: true, isRegex: false })
  if (!pattern) throw new Error('nothing to search for')
  const lines = [...readLines(drawn)]
  const { matches } = findMatches(lines, pattern, 100)
  return matches.map((match) => {
    const line = lines.find(({ row }) => row === match.line.row)
    return line ? locate(drawn, line, match).map(({ row, column, width }) => [row, column, width]) : []
  })
}

describe('lines of the buffer', () => {
  it('are whole, however they wrap, and newest first', async () => {
    const lines = [...readLines(await draw('short\r\n0123456789abcdefghijABC\r\nlast'))]
    expect(lines.map(({ row, text }) => [row, text]).filter(([, text]) => text !== '')).toEqual([
      [4, 'last'],
      [1, '0123456789abcdefghijABC'],
      [0, 'short'],
    ])
  })

  it('give matches as cells, row by row', async () => {
    const drawn = await draw('0123456789abcdefghijABC')
    expect(places(drawn, '345')).toEqual([[[0, 3, 3]]])
    expect(places(drawn, '89ab')).toEqual([
      [
        [0, 8, 2],
        [1, 0, 2],
      ],
    ])
    expect(places(drawn, '9abcdefghijA')).toEqual([
      [
        [0, 9, 1],
        [1, 0, 10],
        [2, 0, 1],
      ],
    ])
  })

  it('count wide and combined characters by their cells', async () => {
    const drawn = await draw('日本e\u0301x語', 20)
    expect(places(drawn, 'x')).toEqual([[[0, 5, 1]]])
    expect(places(drawn, '本')).toEqual([[[0, 2, 2]]])
    expect(places(drawn, '語')).toEqual([[[0, 6, 2]]])
  })

  it('are read once each, so that a line of megabytes is no trouble', async () => {
    const drawn = await draw(`${'x'.repeat(100_000)}needle`, 10)
    expect(places(drawn, 'needle')).toHaveLength(1)
  })
})
