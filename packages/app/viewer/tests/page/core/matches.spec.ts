import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileQuery, findMatches, type Query, type TextLine } from '../../../src/page/core/matches.js'

const query = (text: string, change: Partial<Query> = {}): Query => ({
  text,
  isCaseSensitive: false,
  isRegex: false,
  ...change,
})

/** Newest first, as the search wants them. */
function linesOf(...texts: readonly string[]): readonly TextLine[] {
  return texts.map((text, row) => ({ row, text })).reverse()
}

function find(texts: readonly string[], asked: Query, limit = 100) {
  const pattern = compileQuery(asked)
  if (!pattern) throw new Error('nothing to search for')
  const { matches, isComplete } = findMatches(linesOf(...texts), pattern, limit)
  return { places: matches.map(({ line: { row }, start, end }) => [row, start, end]), isComplete }
}

describe('a search', () => {
  it('finds every match, oldest first', () => {
    expect(find(['ab ab', '', 'xAB'], query('ab')).places).toEqual([
      [0, 0, 2],
      [0, 3, 5],
      [2, 1, 3],
    ])
    expect(find(['ab', 'AB'], query('ab', { isCaseSensitive: true })).places).toEqual([[0, 0, 2]])
  })

  it('takes text literally, and regular expressions by the line', () => {
    expect(find(['a.c', 'abc'], query('a.c')).places).toEqual([[0, 0, 3]])
    expect(find(['10', '110', '101'], query('^1[0-9]$', { isRegex: true })).places).toEqual([[0, 0, 2]])
  })

  it.each([query(''), query('(', { isRegex: true }), query('[a-', { isRegex: true })])('is none for %j', (asked) => {
    expect(compileQuery(asked)).toBeUndefined()
  })

  it('leaves out what has no length, and ends', () => {
    expect(find(['aab'], query('b*', { isRegex: true })).places).toEqual([[0, 2, 3]])
  })

  it('keeps the newest of too many', () => {
    expect(find(['x x', 'x x x'], query('x'), 4)).toEqual({
      places: [
        [0, 2, 3],
        [1, 0, 1],
        [1, 2, 3],
        [1, 4, 5],
      ],
      isComplete: false,
    })
    expect(find(['x x', 'x x'], query('x'), 4).isComplete).toBe(true)
  })

  it('finds any text where it stands', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), fc.string(), (before, text, after) => {
        const found = find([before + text + after], query(text, { isCaseSensitive: true }))
        expect(found.places.length).toBeGreaterThan(0)
        for (const [, start, end] of found.places) expect((before + text + after).slice(start, end)).toBe(text)
      }),
    )
  })
})
