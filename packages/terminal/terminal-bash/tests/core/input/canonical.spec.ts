import { expect, it } from 'vitest'
import { checkCanonicalLines } from '../../../src/core/input/canonical.js'

it.each([
  ['ASCII', 'x', 1],
  ['two-byte characters', 'é', 2],
  ['three-byte characters', '漢', 3],
  ['four-byte characters', '😀', 4],
])('a line of %s is as long as its bytes', (_, character, size) => {
  const fitting = character.repeat(Math.floor(4_095 / size))
  expect(checkCanonicalLines(fitting, 4_096)).toBeUndefined()
  expect(checkCanonicalLines(`first\n${fitting}${character}`, 4_096)).toMatchObject({
    lineNumber: 2,
    lineBytes: (Math.floor(4_095 / size) + 1) * size + 1,
  })
})

it.each(['\n', '\r', '\r\n', '\x04'])('%j ends a line', (end) => {
  const half = 'x'.repeat(3_000)
  expect(checkCanonicalLines(`${half}${end}${half}`, 4_096)).toBeUndefined()
})
