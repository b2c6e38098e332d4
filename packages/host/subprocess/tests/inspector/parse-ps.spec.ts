import { describe, expect, it } from 'vitest'
import { parseCpuTime, parsePs } from '../../src/inspector/parse-ps.js'

describe('parsePs', () => {
  it('reads a line as macOS prints it, keeping the name of the program only', () => {
    const line = ' 4711  4700  4711  4720 Ss     0:00.05 Sun Nov  9 20:26:24 2026     ttys003  /bin/bash\n'
    expect(parsePs(line)).toEqual([
      {
        pid: 4711,
        parentPid: 4700,
        pgid: 4711,
        foregroundPgid: 4720,
        state: 'Ss',
        cpuMs: 50,
        startTime: 'Sun Nov 9 20:26:24 2026',
        tty: 'ttys003',
        command: 'bash',
      },
    ])
  })

  it('keeps spaces in commands', () => {
    const line = '1 0 1 0 S 1:02:03.50 Sun Nov 29 20:26:24 2026 ?? /Applications/My App.app/Contents/MacOS/My App'
    expect(parsePs(line)[0]).toMatchObject({ command: 'My App', tty: '', cpuMs: 3_723_500 })
  })

  it.each(['?', '??', '-'])('reads %s as no terminal', (tty) => {
    expect(parsePs(`5 1 5 -1 S 00:00:00 Sun Nov 29 20:26:24 2026 ${tty} kthread`)[0]).toMatchObject({ tty: '' })
  })

  it('leaves out lines that do not fit', () => {
    expect(parsePs('PID PPID\n\nerror: unknown column\n')).toEqual([])
  })
})

describe('parseCpuTime', () => {
  it.each([
    ['0:00.01', 10],
    ['12:34.56', 754_560],
    ['01:02:03', 3_723_000],
    ['2-01:00:00', 176_400_000],
  ])('reads %s', (text, expected) => {
    expect(parseCpuTime(text)).toBe(expected)
  })
})
