import { expect, it } from 'vitest'
import { compilePattern } from '../../src/session/output-match.js'

it.each([
  ['', 'It is empty.'],
  ['x'.repeat(1_025), 'It is longer than 1024 characters.'],
  ['two\nlines', 'It holds a line end'],
])('%j is refused and nothing is done', async (pattern, why) => {
  await expect(compilePattern({ pattern })).rejects.toMatchObject({
    code: 'PATTERN_INVALID',
    message: expect.stringContaining(why),
  })
})

it.each(['(', '(?=a)', '(a)\\1'])('%s is refused as a regular expression', async (pattern) => {
  await expect(compilePattern({ pattern, isRegex: true })).rejects.toMatchObject({ code: 'PATTERN_INVALID' })
})

it.each([
  [{ pattern: 'Done.' }, 'it is Done.', 'it is done.'],
  [{ pattern: 'Done.', ignoreCase: true }, 'it is dONE.', 'it is Done'],
  [{ pattern: '^\\d+ ok$', isRegex: true }, '12 ok', '12 OK'],
  [{ pattern: '^\\d+ ok$', isRegex: true, ignoreCase: true }, '12 OK', 'x 12 ok'],
])('%o matches %j and not %j', async (pattern, line, other) => {
  const matches = await compilePattern(pattern)
  expect([matches(line), matches(other)]).toEqual([true, false])
})
