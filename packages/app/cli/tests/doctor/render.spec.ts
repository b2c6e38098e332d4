import { expect, test } from 'vitest'
import { renderCheck, renderVerdict } from '../../src/doctor/render.js'
import type { Check } from '../../src/doctor/report.js'

const ok: Check = { name: 'node', status: 'ok', detail: '22.1.0' }
const warn: Check = {
  name: 'evidence',
  status: 'warn',
  detail: 'none',
  cost: 'Slower.',
  advice: 'Mount it.',
  notes: ['Old.'],
}
const fail: Check = { name: 'shell', status: 'fail', detail: 'no prompt' }

test('a finding is a line with a mark, and cost, advice and notes stand below it', () => {
  expect(renderCheck(ok, (_, text) => text)).toBe('✔ node             22.1.0')
  expect(renderCheck(warn, (status, text) => `<${status} ${text}>`).split('\n')).toEqual([
    '<warn !> evidence         none',
    '                   − Slower.',
    '                   → Mount it.',
    '                   · Old.',
  ])
})

test.each([
  [[ok], 'Terminals work here.'],
  [[ok, warn], 'Terminals work here, with 1 warning.'],
  [[warn, warn], 'Terminals work here, with 2 warnings.'],
  [[warn, fail], '1 failure: terminals do not work as they should until that is mended.'],
])('the verdict of %# says what all comes to', (checks, verdict) => {
  expect(renderVerdict(checks)).toBe(verdict)
})
