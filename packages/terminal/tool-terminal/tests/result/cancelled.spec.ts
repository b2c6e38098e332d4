import { expect, it } from 'vitest'
import { cancelledFacts, renderReason } from '../../src/result/cancelled.js'

const textsOf = (...args: Parameters<typeof cancelledFacts>) => cancelledFacts(...args).map(({ text }) => text)

it.each([
  [{ delivered: 'none' }, 'nothing had been written'],
  [{ delivered: 'failed' }, 'the foreground program could not be interrupted and may still run'],
  [{ delivered: 'SIGINT', targetPgid: 42 }, 'SIGINT was delivered to process group 42'],
  [{ delivered: 'SIGINT' }, 'SIGINT was delivered to the foreground program'],
  [{ delivered: 'SIGKILL', targetPgid: 42 }, 'SIGKILL was delivered to process group 42, which did not yield to less'],
] as const)('an interruption %o is told', (interruption, text) => {
  expect(textsOf('killed', interruption)).toEqual([`killed; ${text}`])
})

it('the end of the terminal is told as well, as long as it has ended', () => {
  const interruption = { delivered: 'SIGINT', targetPgid: 42 } as const
  expect(textsOf('killed', interruption, { kind: 'running' })).toHaveLength(1)
  expect(textsOf('killed', interruption, { kind: 'signalled', signal: 'SIGHUP' })[1]).toBe(
    'the terminal has ended (ended by SIGHUP)',
  )
})

it.each([
  [new Error('Enough.'), 'Enough'],
  [new TypeError(''), 'TypeError'],
  ['the user went\nelsewhere', 'the user went elsewhere'],
  [undefined, 'no reason given'],
  [{ code: 7 }, 'no reason given'],
])('the reason %o reads %j', (reason, text) => {
  expect(renderReason(reason)).toBe(text)
})
