import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseThreadStatus } from '../../src/inspector/parse-status.js'
import { parseAddress, parseIntArgument, parseThreadCall } from '../../src/inspector/parse-syscall.js'

const REGISTERS = '0x3 0x7ff990176000 0x20000 0x0 0xffffffffffffffff 0x0'

describe('parseThreadCall', () => {
  it('reads the number and the six arguments of a blocked call', () => {
    expect(parseThreadCall(`0 ${REGISTERS} 0x7fffcc89da08 0x7ff9902f22ad\n`)).toEqual({
      kind: 'blocked',
      number: 0,
      args: REGISTERS.split(' '),
      isCompat: false,
    })
  })

  it('marks a 32-bit program by where its stack lies', () => {
    expect(parseThreadCall(`3 ${REGISTERS} 0xffe01234 0xf7f01549\n`)).toMatchObject({ isCompat: true })
  })

  it('tells a running thread from one blocked outside a call', () => {
    expect(parseThreadCall('running\n')).toEqual({ kind: 'running' })
    expect(parseThreadCall('-1 0x7fffcc89da08 0x7ff9902f22ad\n')).toEqual({ kind: 'outside' })
  })

  it('answers nothing for any other text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(text.trim() !== 'running' && !/^(?:-1|\d+) 0x/.test(text.trim()))
        expect(parseThreadCall(text)).toBeUndefined()
      }),
      { examples: [[''], ['0'], ['0 1 2 3 4 5 6 7 8'], ['x 0x1 0x1 0x1 0x1 0x1 0x1 0x1 0x1']] },
    )
  })
})

describe('parseIntArgument', () => {
  it('gives the C int that a register holds', () => {
    fc.assert(
      fc.property(fc.integer(), (value) => {
        const register = `0x${BigInt.asUintN(64, BigInt(value)).toString(16)}`
        expect(parseIntArgument(register)).toBe(value)
      }),
    )
  })

  it('ignores garbage in the upper half, as the kernel does', () => {
    expect(parseIntArgument('0xdeadbeef00000005')).toBe(5)
  })
})

describe('parseAddress', () => {
  it('gives user addresses exactly', () => {
    expect(parseAddress('0x7fffcc89da08')).toBe(0x7fffcc89da08)
    expect(parseAddress('0x0')).toBe(0)
  })

  it('answers nothing for an address beyond user space', () => {
    expect(parseAddress('0xffffffffffffffff')).toBeUndefined()
  })
})

describe('parseThreadStatus', () => {
  it('reads the state and the counter of waits', () => {
    const text =
      'Name:\tbash\nState:\tS (sleeping)\nTgid:\t1\nvoluntary_ctxt_switches:\t27\nnonvoluntary_ctxt_switches:\t3\n'
    expect(parseThreadStatus(text)).toEqual({ state: 'S', voluntarySwitches: 27 })
  })

  it('answers nothing when a fact is missing', () => {
    expect(parseThreadStatus('Name:\tbash\nState:\tS (sleeping)\n')).toBeUndefined()
    expect(parseThreadStatus('nonvoluntary_ctxt_switches:\t3\nState:\tS (sleeping)\n')).toBeUndefined()
  })
})
