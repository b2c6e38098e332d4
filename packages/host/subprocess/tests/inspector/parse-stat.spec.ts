import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isZombie, parseProcStat } from '../../src/inspector/parse-stat.js'

const TAIL = '7 8 9 34816 11 4194304 1 2 3 4 120 30 0 0 20 0 6 0 987654 10 20 30'

describe('parseProcStat', () => {
  it('reads the fields that inspection and teardown use', () => {
    expect(parseProcStat(`42 (bash) S ${TAIL}\n`)).toEqual({
      pid: 42,
      command: 'bash',
      state: 'S',
      parentPid: 7,
      pgid: 8,
      sessionId: 9,
      foregroundPgid: 11,
      cpuTicks: 150,
      threads: 6,
      startTime: '987654',
    })
  })

  it('takes any command, spaces, parentheses and look-alike fields included', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 15 }), (command) => {
        expect(parseProcStat(`42 (${command}) S ${TAIL}\n`)).toMatchObject({ pid: 42, command, parentPid: 7 })
      }),
      { examples: [['a) S 1 2 3'], [') ('], ['(((('], ['']] },
    )
  })

  it('answers nothing for a line that is cut anywhere before the start time', () => {
    const line = `42 (bash) S ${TAIL}`
    const end = line.indexOf(' 987654')
    for (let length = 0; length <= end; length++) expect(parseProcStat(line.slice(0, length))).toBeUndefined()
  })

  it('answers nothing for text that is no stat line', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!/^\d+ \(/.test(text))
        expect(parseProcStat(text)).toBeUndefined()
      }),
    )
  })

  it.runIf(process.platform === 'linux')('reads this very process', () => {
    expect(parseProcStat(readFileSync('/proc/self/stat', 'latin1'))).toMatchObject({
      pid: process.pid,
      parentPid: process.ppid,
    })
  })
})

describe('isZombie', () => {
  it.each([
    ['an ended process', 'Z', 1, true],
    ['an ended process whose threads are released', 'Z', 0, true],
    ['a process whose first thread left while others run', 'Z', 3, false],
    ['a sleeping process', 'S', 1, false],
  ])('tells %s', (_title, state, threads, expected) => {
    expect(isZombie({ state, threads })).toBe(expected)
  })
})
