import { expect, test } from 'vitest'
import { joinBlocks } from '../../src/index.js'

test('blocks stand one below the other, data as JSON on one line', () => {
  expect(
    joinBlocks([
      { type: 'text', text: 'a\nb' },
      { type: 'json', value: { c: [1, null] } },
    ]),
  ).toBe('a\nb\n{"c":[1,null]}')
  expect(joinBlocks([])).toBe('')
})
