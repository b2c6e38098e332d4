import { describe, expect, it } from 'vitest'
import { searchFacts, searchText } from '../../src/result/search.js'

const SEARCH = { firstLine: 1, nextLine: 10 }

describe('found lines', () => {
  it('whose surroundings overlap are shown once, each found one as found', () => {
    const matches = [
      { line: 2, text: 'one', before: ['a'], after: ['two'] },
      { line: 3, text: 'two', before: ['one'], after: ['b'] },
      { line: 8, text: 'far', before: ['c'], after: [] },
    ]
    expect(searchText({ ...SEARCH, matches })).toBe('1- a\n2: one\n3: two\n4- b\n--\n7- c\n8: far')
  })

  it('say which lines had been lost before they could be searched', () => {
    const texts = (since: number) =>
      searchFacts({ ...SEARCH, firstLine: 5, matches: [] }, since).map(({ text }) => text)
    expect(texts(1)).toEqual(['no match; searched to the newest line; go on with since 10', 'lines before 5 are lost'])
    expect(texts(5)).toHaveLength(1)
  })
})
