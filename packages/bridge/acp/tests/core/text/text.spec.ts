import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { renderConsoleBlock, renderTextBlock } from '../../../src/core/text/console-block.js'
import { fence } from '../../../src/core/text/fence.js'
import { renderPlain } from '../../../src/core/text/plain.js'
import { renderTitle } from '../../../src/core/text/title.js'

const OK = { status: 'completed', exit: { exitCode: 0, signal: null }, text: '' } as const

describe('plain text', () => {
  test.each([
    ['colours', '\x1b[1;31mred\x1b[0m', 'red'],
    ['a bar', '\r10%\r55%\r100%\r\n', '100%'],
    ['a shorter state over a longer one', 'abcdef\rxy', 'xycdef'],
    ['backspaces', 'abc\b\bX', 'aXc'],
    ['titles and links', '\x1b]0;t\x07a\x1b]8;;u\x1b\\b', 'ab'],
    ['bells and C1', 'a\x07b\x9b1mc', 'abc'],
    ['trailing blank lines', 'a\n\n \n', 'a'],
    ['half a pair', 'a\ud83d', 'a\ufffd'],
  ])('renders %s', (_, text, expected) => {
    expect(renderPlain(text)).toBe(expected)
  })

  test('never holds a control but tabs and line feeds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(renderPlain(text)).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]|\p{Surrogate}/u)
      }),
    )
  })
})

test('no content can close its own fence', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('`', 'a', '\n') }), (text) => {
      const [, ticks = '', body] = /^(`+)x\n([\s\S]*)\n\1$/.exec(fence(text, 'x')) ?? []
      expect(body).toBe(text)
      expect(ticks.length).toBeGreaterThanOrEqual(3)
      expect(text).not.toContain(ticks)
    }),
  )
})

describe('a console block', () => {
  test('is left out when there is nothing to say', () => {
    expect(renderConsoleBlock(OK, 1000)).toBeUndefined()
    expect(renderTextBlock(' \n', 1000)).toBeUndefined()
  })

  test('states code, signal and notice', () => {
    const ending = { ...OK, text: 'out\n', notice: '[cancelled]', exit: { exitCode: null, signal: 'SIGINT' } }
    expect(renderConsoleBlock(ending, 1000)).toBe('```console\nout\n\n[cancelled]\n[signal SIGINT]\n```')
  })

  test('counts the lines it leaves out', () => {
    const text = Array.from({ length: 1000 }, (_, index) => `line ${index}`).join('\n')
    expect(renderConsoleBlock({ ...OK, text }, 200)).toMatch(
      /line 0\n[\s\S]*\n\[9\d\d lines omitted\]\n[\s\S]*line 999\n```$/,
    )
  })
})

describe('a title', () => {
  test('is the command, or its stand-in when there is none', () => {
    expect(renderTitle('ls', 'Tool call')).toBe('ls')
    expect(renderTitle(' \n', 'Tool call')).toBe('Tool call')
  })

  test('is cut between characters', () => {
    expect(renderTitle('😀'.repeat(3000), '')).toMatch(/^(?:😀){1999}…$/u)
  })
})
