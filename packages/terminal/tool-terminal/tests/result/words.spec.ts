import { describe, expect, it } from 'vitest'
import { renderDuration } from '../../src/result/words.js'

describe('renderDuration', () => {
  it.each([
    [0, '0 ms'],
    [349.6, '349 ms'],
    [999.7, '999 ms'],
    [1000, '1.0 s'],
    [59_999, '59.9 s'],
    [125_000, '2 min 5 s'],
    [11_040_000, '3 h 4 min'],
  ])('renders %d ms', (ms, expected) => {
    expect(renderDuration(ms)).toBe(expected)
  })
})
