/** Looks at processes where there is more, or less, than a look can take in. */
import { rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { renderCall } from '../support/fake-proc.js'
import { PROGRAM, SHELL, TTY, useFakeTerminal } from '../support/fake-program.js'

const READ = 0
const POLL = 7
const SELECT = 23
const RESTART = 219
const ADDRESS = 4096
const TIME = 8192

const terminal = useFakeTerminal()
const { openInspector } = terminal
/** The program has the terminal as its input. */
const putForeground = (program: Parameters<typeof terminal.putForeground>[0]) =>
  terminal.putForeground({ descriptors: { 0: TTY }, ...program })

/** `struct pollfd` of descriptor 0, for input. */
const POLL_ENTRY = Uint8Array.of(0, 0, 0, 0, 1, 0, 0, 0)

describe('a look', () => {
  it('remembers the polls of so many threads and no more, and finds their waits all the same', async () => {
    const put = (number: number) => {
      const call = renderCall(number, ADDRESS, 1, 0xffffffff)
      const threads = Array.from({ length: 300 }, (_, index) => ({ tid: PROGRAM + index, call }))
      putForeground({ threads, memory: { [ADDRESS]: POLL_ENTRY } })
    }
    const inspector = openInspector()
    put(POLL)
    expect((await inspector.inspect())?.waits).toHaveLength(300)
    put(RESTART)
    const continued = await inspector.inspect()
    const remembered = Array.from({ length: 44 }, (_, index) => PROGRAM + 256 + index)
    expect(continued?.waits.map(({ tid }) => tid)).toEqual(remembered)
    expect(continued?.waitsKnown).toBe(false)
  })

  it('finds the program where the kernel lists no children', async () => {
    putForeground({ threads: [{ tid: PROGRAM, call: renderCall(READ, 0) }] })
    for (const pid of [SHELL, PROGRAM]) rmSync(`${terminal.proc.root}/${pid}/task/${pid}/children`)
    expect(await openInspector().inspect()).toMatchObject({ pgid: PROGRAM, waits: [{ call: 'read' }] })
  })

  it('knows no limit of a wait whose time cannot be read whole', async () => {
    const select = renderCall(SELECT, 1, ADDRESS, 0, 0, TIME)
    const memory = { [ADDRESS]: Uint8Array.of(1), [TIME]: new Uint8Array(8) }
    putForeground({ threads: [{ tid: PROGRAM, call: select }], memory })
    const waits = (await openInspector().inspect())?.waits
    expect(waits).toMatchObject([{ call: 'poll' }])
    expect(waits?.[0]).not.toHaveProperty('timeoutMs')
  })
})
