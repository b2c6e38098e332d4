import { expect, it } from 'vitest'
import { BrokenPromise, expectLines } from '../../soak/checks.mjs'
import { findLeft, judgeMemory, type Stock } from '../../soak/stock.mjs'

const stock = (heapMiB: number, descriptors = 20): Stock => ({
  census: { descriptors, zombies: 0 },
  heapMiB,
  rssMiB: 100,
})

it.each([
  ['a line is missing', 'a-1\na-3\n'],
  ['a line comes twice', 'a-1\na-2\na-2\na-3\n'],
  ['two lines have changed places', 'a-2\na-1\na-3\n'],
  ['something else is printed as well', 'a-1\na-2\na-3\n$ '],
])('output is not whole when %s', (_, text) => {
  const lines = ['a-1', 'a-2', 'a-3']
  expect(() => expectLines('a-1\na-2\na-3\n', lines)).not.toThrow()
  expect(() => expectLines(text, lines)).toThrow(BrokenPromise)
})

it('one descriptor more than after the first wave has been left behind', () => {
  expect(findLeft(stock(30), stock(31))).toEqual([])
  expect(findLeft(stock(30), stock(31, 19))).toEqual([])
  expect(findLeft(stock(30), stock(31, 21))).toEqual(['descriptors: 21 after the wave, 20 after the first one'])
})

it('memory that levels off is flat, memory that goes on growing is not', () => {
  const judge = (values: readonly number[]) => judgeMemory(values.map((value) => stock(value)))[0]?.isFlat
  expect(judge(Array.from({ length: 40 }, (_, wave) => 40 - 15 / (wave + 1)))).toBe(true)
  expect(judge(Array.from({ length: 40 }, (_, wave) => 30 + wave * 0.5))).toBe(false)
  expect(judge([30, 31, 32])).toBeUndefined()
})
