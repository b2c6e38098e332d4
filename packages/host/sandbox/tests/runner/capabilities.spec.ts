import { expect, test } from 'vitest'
import { resolveCapabilityDrop } from '../../src/runner/capabilities.js'

const status = (effective: string) => `Name:\tnode\nCapPrm:\t000001ffffffffff\nCapEff:\t${effective}\nCapBnd:\t0\n`

test('an ordinary user has nothing to give up', () => {
  expect(resolveCapabilityDrop(status('0000000000000000'), '/usr/bin/setpriv')).toEqual({ kind: 'unneeded' })
})

test('permissions of files alone may stay', () => {
  expect(resolveCapabilityDrop(status('0000000000000006'), undefined)).toEqual({ kind: 'unneeded' })
})

test('root keeps what concerns permissions of files', () => {
  expect(resolveCapabilityDrop(status('000001ffffffffff'), '/usr/bin/setpriv')).toEqual({
    kind: 'possible',
    argv: ['/usr/bin/setpriv', '--inh-caps', '-all', '--bounding-set', '-all,+dac_override,+dac_read_search', '--'],
  })
})

test('what root does not have is not asked for', () => {
  expect(resolveCapabilityDrop(status('00000000000001f0'), '/usr/bin/setpriv')).toMatchObject({
    argv: expect.arrayContaining(['-all']),
  })
})

test.each([
  ['without setpriv', '000001ffffffffff', undefined],
  ['without the right to drop any', '0000000000200000', '/usr/bin/setpriv'],
])('root %s cannot give them up', (_title, effective, setpriv) => {
  expect(resolveCapabilityDrop(status(effective), setpriv)).toEqual({ kind: 'impossible' })
})
