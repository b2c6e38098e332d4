import { describe, expect, it } from 'vitest'
import { titleOf } from '../../src/result/clean.js'

describe('titleOf', () => {
  it.each([
    ['takes the first line with something in it', '\n  make test\necho done', 'make test'],
    ['shows control characters in caret notation', '\x03', '^C'],
    ['is empty for nothing', '', ''],
  ])('%s', (_title, text, expected) => {
    expect(titleOf(text)).toBe(expected)
  })
})
