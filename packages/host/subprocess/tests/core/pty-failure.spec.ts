import { describe, expect, it } from 'vitest'
import { explainPtyFailure, type PtyFacts } from '../../src/core/index.js'

const facts = (deviceErrorCode: string | undefined): PtyFacts => ({
  device: '/dev/ptmx',
  deviceErrorCode,
  usedPtys: 4096,
  maxPtys: 4096,
})

describe('explainPtyFailure', () => {
  it.each([
    ['ENOSPC', /all PTYs are in use \(4096 of 4096 on this machine\)\..*kernel\.pty\.max/],
    ['EMFILE', /ulimit -n/],
    ['ENFILE', /fs\.file-max/],
    ['EACCES', /denied.*policy/],
    ['EPERM', /denied.*policy/],
    ['ENOENT', /does not exist.*devpts/],
    ['ENOTTY', /something else stands in its place/],
    ['ENXIO', /devpts/],
    ['EWEIRD', /EWEIRD: check the device/],
  ])('names the device, %s and what to do', (code, advice) => {
    const text = explainPtyFailure('forkpty(3) failed.', facts(code))
    expect(text).toContain('/dev/ptmx')
    expect(text).toContain(code)
    expect(text).toMatch(advice)
  })

  it('looks at processes when the device is fine', () => {
    expect(explainPtyFailure('forkpty(3) failed.', facts(undefined))).toMatch(
      /forkpty\(3\) failed\.\).*\/dev\/ptmx opens \(4096 of 4096 on this machine\).*ulimit -u/,
    )
  })

  it('leaves numbers out that the kernel does not tell', () => {
    const text = explainPtyFailure('x', { ...facts('ENOSPC'), usedPtys: undefined })
    expect(text).toContain('all PTYs are in use. Close')
  })
})
