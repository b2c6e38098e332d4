import { expect, it } from 'vitest'
import { toExitOutcome } from '../../src/terminal/exit-outcome.js'

it.each([
  [3, undefined, { kind: 'code', code: 3 }],
  [0, 0, { kind: 'code', code: 0 }],
  [0, 9, { kind: 'signal', signal: 'SIGKILL' }],
  // Real-time signals have no name in Node.
  [0, 40, { kind: 'signal', signal: 'SIG40' }],
] as const)('an exit with code %i and signal %s is %o', (code, signal, outcome) => {
  expect(toExitOutcome(code, signal)).toEqual(outcome)
})
