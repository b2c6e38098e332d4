import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BetweenSends } from '../../src/core/index.js'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('what happens between sends', () => {
  it('is nothing where nothing has ended a line or a command', () => {
    const between = new BetweenSends()
    between.addOutput(bytes('\r50%'))
    expect(between.take()).toBeUndefined()
  })

  it('is how the last command has ended', () => {
    const between = new BetweenSends()
    between.addCommandEnd({ exitCode: 2, durationMs: 5 })
    between.addOutput(bytes('one\r\ntwo\r\n'))
    between.addCommandEnd({ exitCode: 0, durationMs: 7 })
    expect(between.take()).toEqual({ lines: 2, exitCode: 0, durationMs: 7 })
    between.addCommandEnd({ exitCode: undefined, durationMs: 1 })
    expect(between.take()).toEqual({ lines: 0, durationMs: 1 })
  })

  it('is told once', () => {
    const between = new BetweenSends()
    between.addOutput(bytes('\n'))
    expect(between.take()).toEqual({ lines: 1 })
    expect(between.take()).toBeUndefined()
  })

  it('counts line ends however the output is split', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a\n]*$/)), (pieces) => {
        const between = new BetweenSends()
        for (const piece of pieces) between.addOutput(bytes(piece))
        expect(between.take()?.lines ?? 0).toBe(pieces.join('').split('\n').length - 1)
      }),
    )
  })
})
