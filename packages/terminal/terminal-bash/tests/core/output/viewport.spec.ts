import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ViewportText } from '../../../src/core/output/types.js'
import { feedText, makeOutput, startSeen, terminalBytes } from './harness.js'

/** What a send shows: `before` was there, `input` is what it sent, the pieces arrive. */
function collect(before: string, echo: string | undefined, pieces: readonly string[]): ViewportText {
  const output = makeOutput({ columns: 40 })
  feedText(output, before)
  const viewport = output.startViewport(echo === undefined ? {} : { echo })
  for (const piece of pieces) feedText(output, piece)
  return viewport.stop()
}

describe('the viewport of a send', () => {
  it.each([
    ['leaves out the kernel’s echo', '>>> ', 'print(1)', ['print(1)\r\n', '1\r\n>>> '], '1\n>>> '],
    [
      'leaves out an echo redrawn by a line editor',
      '> ',
      'ab',
      ['a', '\r\u001b[K> ab', '\u001b[3G\u001b[C\r\n', '2\r\n'],
      '2\n',
    ],
    [
      'leaves out an echo folded at the right margin',
      '$ ',
      'x'.repeat(60),
      [`${'x'.repeat(38)}x \r${'x'.repeat(22)}\r\nout\r\n`],
      'out\n',
    ],
    [
      'leaves out an echo of several lines with continuation prompts',
      '>>> ',
      'def f():\n  return 1\n',
      ['def f():\r\n...   return 1\r\n... \r\n>>> '],
      '>>> ',
    ],
    [
      'leaves out a control character’s echo',
      '>>> ',
      '\u0003',
      ['^C\r\nKeyboardInterrupt\r\n>>> '],
      'KeyboardInterrupt\n>>> ',
    ],
    ['leaves out an echo whose tabs were expanded', '', 'a\tb', ['a       b\r\nout\r\n'], 'out\n'],
    ['leaves out an empty line’s echo', '>>> ', '', ['\r\n>>> '], '>>> '],
    ['shows output that repeats the echo', '', 'hello', ['hello\r\nhello\r\n'], 'hello\n'],
    ['shows everything when there was no echo', 'Password: ', 'secret', ['\r\nwelcome\r\n'], '\nwelcome\n'],
    ['shows an echo it cannot tell from output', '? ', 'y', ['yok\r\n'], 'yok\n'],
    ['shows only what a redraw of an older line changed', 'old 10%', undefined, ['\b\b\b20%'], '20%'],
    ['shows the last frame of progress', '', undefined, ['\r1%\r2%', '\r3%'], '3%'],
  ])('%s', (_title, before, echo, pieces, expected) => {
    expect(collect(before, echo, pieces)).toEqual({ text: expected, omittedLines: 0, omittedBytes: 0 })
  })

  it('leaves suppressed regions to scrollback, line ends included', () => {
    const output = makeOutput()
    const viewport = output.startViewport({})
    viewport.suppress(true)
    feedText(output, 'echo hi\r\n')
    viewport.suppress(false)
    feedText(output, 'hi')
    viewport.suppress(true)
    feedText(output, '$ echo more\r\n')
    viewport.suppress(false)
    feedText(output, 'more\r\n')
    viewport.suppress(true)
    feedText(output, '$ ')
    expect(viewport.stop().text).toBe('hi\nmore\n')
    expect(output.page({}).text).toBe('echo hi\nhi$ echo more\nmore\n$ ')
  })

  it('keeps head and tail and counts what is missing between', () => {
    const output = makeOutput({ viewportMaxBytes: 1000 })
    const viewport = output.startViewport({})
    const lines = Array.from({ length: 500 }, (_, i) => `line ${i} é`)
    for (const line of lines) feedText(output, `${line}\r\n`)
    const { text, omittedLines, omittedBytes } = viewport.stop()
    const size = (value: string): number => new TextEncoder().encode(value).length
    expect(text).toMatch(/^line 0 é\n[\s\S]*\n… [\d,]+ lines \([\d,]+ bytes\) left out …\n[\s\S]*line 499 é\n$/u)
    const kept = text.split('\n').filter((line) => line.startsWith('line '))
    expect(kept.length + omittedLines).toBe(500)
    expect(size(`${lines.join('\n')}\n`) - size(`${kept.join('\n')}\n`)).toBe(omittedBytes)
  })

  it('shows what it had once another one has begun', () => {
    const output = makeOutput()
    const first = output.startViewport({})
    feedText(output, 'one\r\n')
    output.startViewport({})
    feedText(output, 'two\r\nthree')
    expect(first.snapshot().text).toBe('one\n')
    expect(first.lastLine()).toBe('')
  })

  it('stops collecting for good', () => {
    const output = makeOutput()
    const first = output.startViewport({})
    feedText(output, 'one\r\n')
    first.stop()
    const second = output.startViewport({})
    feedText(output, 'two\r\n')
    expect([first.stop().text, first.snapshot().text, second.snapshot().text]).toEqual(['one\n', 'one\n', 'two\n'])
  })

  it('has the last line that its snapshot has, at every moment, while nothing is missing', () => {
    const options = { columns: 9, rows: 4, viewportMaxBytes: 2000 }
    const echoes = fc.constantFrom(undefined, 'x', 'print(1)\nx')
    fc.assert(
      fc.property(fc.array(terminalBytes, { maxLength: 4 }), fc.array(fc.boolean()), echoes, (parts, on, echo) => {
        const output = makeOutput(options)
        const viewport = output.startViewport(echo === undefined ? {} : { echo })
        for (const [at, bytes] of parts.entries()) {
          if (on[at] !== undefined) viewport.suppress(on[at])
          output.feed(bytes, startSeen().sink)
          const { text, omittedBytes } = viewport.snapshot()
          if (omittedBytes === 0) expect(viewport.lastLine()).toBe(text.split('\n').at(-1))
        }
      }),
      { numRuns: 400 },
    )
  })

  it.each([
    ['in its head', 0],
    ['across head and tail', 940],
    ['in its tail', 3000],
  ])('has a long last line that lies %s', (_, before) => {
    const output = makeOutput({ viewportMaxBytes: 2000 })
    const viewport = output.startViewport({})
    feedText(output, `${'x'.repeat(before)}\r\n`)
    const line = 'y'.repeat(200)
    feedText(output, line)
    expect(viewport.lastLine()).toBe(line)
    feedText(output, '\r\nz')
    expect(viewport.lastLine()).toBe('z')
  })
})
