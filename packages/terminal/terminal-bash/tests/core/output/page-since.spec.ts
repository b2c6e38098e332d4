import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTerminalOutput, type TerminalOutput } from '../../../src/core/index.js'

const SINK = { raw() {}, mark() {}, title() {}, mode() {}, query() {} }
const encoder = new TextEncoder()

function printed(text: string, options: { scrollbackLines?: number; maxReadBytes?: number } = {}): TerminalOutput {
  const output = createTerminalOutput({
    nonce: 'n',
    columns: 20,
    rows: 4,
    scrollbackLines: options.scrollbackLines ?? 100,
    scrollbackMaxBytes: 100_000,
    maxReadBytes: options.maxReadBytes ?? 10_000,
  })
  output.feed(encoder.encode(text), SINK)
  return output
}

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\r\n`).join('')

describe('a page since a line', () => {
  it('goes forward from that line and names the next one', () => {
    expect(printed(numbered(1, 10)).pageSince({ since: 4, lines: 3 })).toMatchObject({
      text: 'line 4\nline 5\nline 6',
      firstLine: 4,
      nextLine: 7,
      truncated: false,
    })
  })

  it('does not shift while output arrives and old lines go', () => {
    const output = printed(numbered(1, 10), { scrollbackLines: 8 })
    const before = output.pageSince({ since: 6, lines: 2 })
    output.feed(encoder.encode(numbered(11, 13)), SINK)
    expect(output.pageSince({ since: 6, lines: 2 }).text).toBe(before.text)
    expect(output.pageSince({ since: 2, lines: 2 })).toMatchObject({ text: 'line 6\nline 7', truncated: true })
  })

  it('shows an unfinished line, and names it again', () => {
    const output = printed('one\r\ntwo')
    expect(output.pageSince({ since: 1 })).toMatchObject({ text: 'one\ntwo', nextLine: 2 })
    output.feed(encoder.encode(' and more\r\n'), SINK)
    expect(output.pageSince({ since: 2 })).toMatchObject({ text: 'two and more', nextLine: 3 })
    expect(output.pageSince({ since: 3 })).toMatchObject({ text: '', lineBegin: 0, lineEnd: 0, nextLine: 3 })
  })

  it('is the page that reading backward gives, with the same numbers', () => {
    fc.assert(
      fc.property(fc.nat(30), fc.integer({ min: 1, max: 12 }), fc.nat(12), (count, lines, offset) => {
        const output = printed(numbered(1, count), { scrollbackLines: 20 })
        const back = output.page({ lines, offset })
        fc.pre(back.lineEnd > 0)
        const size = back.lineEnd - back.lineBegin + 1
        expect(output.pageSince({ since: back.firstLine, lines: size })).toEqual({ ...back, truncated: false })
      }),
    )
  })

  it('stays within its bytes and cuts a line that alone does not fit', () => {
    const output = printed(`${'x'.repeat(500)}\r\nshort\r\n`, { maxReadBytes: 100 })
    const page = output.pageSince({ since: 1 })
    expect(page.text.length).toBeLessThanOrEqual(100)
    expect(page).toMatchObject({ nextLine: 2 })
    expect(output.pageSince({ since: page.nextLine })).toMatchObject({ text: 'short' })
  })
})

describe('the lines that are shown', () => {
  it('are the last screenful, the cursor’s own row included', () => {
    expect(printed(numbered(1, 9)).shownLines()).toEqual({ text: 'line 7\nline 8\nline 9\n', below: 0 })
    expect(printed('one\r\ntwo').shownLines()).toEqual({ text: 'one\ntwo', below: 0 })
  })

  it('begin anew when the screen has been cleared', () => {
    const output = printed('old\r\n\x1b[H\x1b[2J')
    expect(output.shownLines()).toEqual({ text: '', below: 0 })
    output.feed(encoder.encode('new'), SINK)
    expect(output.shownLines()).toEqual({ text: 'new', below: 0 })
  })
})
