import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTerminalOutput } from '../../../src/core/index.js'

const SINK = { raw: () => {}, mark: () => {}, title: () => {}, mode: () => {}, query: () => {} }

function follow(chunks: readonly string[], echo?: string) {
  const output = createTerminalOutput({
    nonce: 'n',
    columns: 80,
    rows: 24,
    scrollbackLines: 100,
    scrollbackMaxBytes: 100_000,
    maxReadBytes: 100_000,
  })
  const told: string[] = []
  const viewport = output.startViewport({ ...(echo === undefined ? {} : { echo }), onLines: (text) => told.push(text) })
  for (const chunk of chunks) output.feed(new TextEncoder().encode(chunk), SINK)
  return { told: told.join(''), text: viewport.stop().text }
}

describe('finished lines of a viewport', () => {
  it.each([
    ['come with their line feed once they have ended', ['one\r\ntw', 'o\r\nthree'], 'one\ntwo\n'],
    ['come in the form of the last frame', ['10%\r50%\r100%\r\n'], '100%\n'],
    ['come without escapes', ['\x1b[31mred\x1b[0m\r\n'], 'red\n'],
    [
      'come whole when they have outgrown what can be edited',
      [`x\r${'a'.repeat(40_000)}`, 'b\r\nc'],
      `${'a'.repeat(40_000)}b\n`,
    ],
    ['come again when a program redraws them', ['a\r\n\x1b[1A', 'b\r\n'], 'a\nb\n'],
  ])('%s', (_title, chunks, told) => {
    expect(follow(chunks).told).toBe(told)
  })

  it('leave out recognised echo', () => {
    expect(follow(['print(1)\r\n', '1\r\n>>> '], 'print(1)').told).toBe('1\n')
  })

  it('are all of the text but its last line, however the bytes are split', () => {
    const piece = fc.constantFrom('a', 'bé', '🐚', '\r\n', '\r', ' ', '\x1b[1m', '\t', 'word')
    fc.assert(
      fc.property(fc.array(fc.array(piece), { maxLength: 12 }), (groups) => {
        const { told, text } = follow(groups.map((group) => group.join('')))
        expect(told).toBe(text.slice(0, text.lastIndexOf('\n') + 1))
      }),
    )
  })
})
