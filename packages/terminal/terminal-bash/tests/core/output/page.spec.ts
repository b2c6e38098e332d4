import { describe, expect, it } from 'vitest'
import { cutMiddle } from '../../../src/core/output/page.js'
import { feedText, makeOutput } from './harness.js'

function filled(lines: number, options = {}) {
  const output = makeOutput(options)
  for (let i = 1; i <= lines; i += 1) feedText(output, `line ${i}\r\n`)
  return output
}

describe('pages', () => {
  it('go backward from the newest line', () => {
    const output = filled(10)
    feedText(output, '$ ')
    expect(output.page({ lines: 2 })).toMatchObject({
      text: 'line 10\n$ ',
      totalLines: 11,
      lineBegin: 10,
      lineEnd: 11,
      truncated: false,
    })
    expect(output.page({ lines: 2, offset: 2 })).toMatchObject({
      text: 'line 8\nline 9',
      totalLines: 11,
      lineBegin: 8,
      lineEnd: 9,
      truncated: false,
    })
    expect(output.page({ offset: 11 })).toMatchObject({
      text: '',
      totalLines: 11,
      lineBegin: 0,
      lineEnd: 0,
      truncated: false,
    })
  })

  it('tell what was lost to retention apart from what lies on another page', () => {
    expect(filled(1000).page({ lines: 1 }).truncated).toBe(false)
    const lost = filled(1001).page({ lines: 1 })
    expect(lost).toMatchObject({ text: 'line 1001', totalLines: 1000, lineBegin: 1000, lineEnd: 1000, truncated: true })
    expect(filled(100, { scrollbackMaxBytes: 500 }).page({}).truncated).toBe(true)
  })

  it('retain as many bytes as they may, one per line end', () => {
    const output = filled(9, { scrollbackMaxBytes: 9 * 7 })
    expect(output.page({})).toMatchObject({ totalLines: 9, truncated: false })
    feedText(output, 'x\r\n')
    expect(output.page({})).toMatchObject({ totalLines: 9, lineBegin: 1, truncated: true })
  })

  it('hold fewer lines when they would be too many bytes', () => {
    const output = filled(100, { maxReadBytes: 70 })
    expect(output.page({ lines: 50 })).toMatchObject({
      text: Array.from({ length: 8 }, (_, i) => `line ${i + 93}`).join('\n'),
      totalLines: 100,
      lineBegin: 93,
      lineEnd: 100,
      truncated: false,
    })
  })

  it('hold fewer of the lines that a program has moved up over', () => {
    const output = makeOutput({ maxReadBytes: 10 })
    feedText(output, 'first\r\nsecond\x1b[A')
    expect(output.page({})).toMatchObject({ text: 'second', totalLines: 2, lineBegin: 2, lineEnd: 2 })
  })

  it('cut a single line to whole characters where not even the count has room', () => {
    expect(cutMiddle('漢字', 4)).toBe('漢')
  })

  it('cut a single line that does not fit in its middle', () => {
    const output = makeOutput({ maxReadBytes: 100 })
    feedText(output, `${'a'.repeat(500)}${'z'.repeat(500)}`)
    expect(output.page({}).text).toMatch(/^a+ … \d+ bytes left out … z+$/)
  })
})
