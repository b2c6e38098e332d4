/** Procfs that does not answer as expected: nothing is proven by it, and nothing is guessed. */
import { describe, expect, it } from 'vitest'
import { type FakeThread, renderCall } from '../support/fake-proc.js'
import { PROGRAM, TTY, useFakeTerminal } from '../support/fake-program.js'

const READ = 0
const POLL = 7
const SELECT = 23
const PSELECT = 270
const PPOLL = 271
/** No address of a user's program, and no exact number either. */
const OUT_OF_REACH = 2 ** 62

const terminal = useFakeTerminal()

async function look(thread: Omit<FakeThread, 'tid'>, memory: Readonly<Record<number, Uint8Array>> = {}) {
  terminal.putForeground({ threads: [{ tid: PROGRAM, ...thread }], descriptors: { 0: TTY }, memory })
  const inspector = terminal.openInspector()
  try {
    return await inspector.inspect()
  } finally {
    inspector.close()
  }
}

describe('a wait is not proven, and said not to be known,', () => {
  it.each([
    ['by a call in another form than known', { call: 'nonsense' }],
    ['by a poll whose list lies where no program has memory', { call: renderCall(POLL, OUT_OF_REACH, 1) }],
    ['by a poll of more descriptors than are looked at', { call: renderCall(POLL, 4096, 100_000) }],
    ['by a select whose set lies where no program has memory', { call: renderCall(SELECT, 1, OUT_OF_REACH) }],
    ['by a select of more descriptors than are looked at', { call: renderCall(PSELECT, 100_000, 4096) }],
    ['by a poll whose list cannot be read', { call: renderCall(POLL, 4096, 1) }],
  ])('%s', async (_, thread) => {
    expect(await look(thread)).toMatchObject({ waits: [], waitsKnown: false })
  })
})

describe('there is no wait', () => {
  it.each([
    ['in a poll of nothing that never ends', { call: renderCall(PPOLL, 0, 0, 0) }],
    ['in a select of nothing for input', { call: renderCall(SELECT, 4, 0, 0, 0, 0) }],
    ['in a thread that runs although it was blocked a moment ago', { call: renderCall(READ, 0), state: 'R' }],
    ['in a thread that is stopped in its call', { call: renderCall(READ, 0), state: 'T' }],
  ])('%s', async (_, thread) => {
    expect(await look(thread)).toMatchObject({ waits: [], waitsKnown: true })
  })
})

it('a limit that cannot be read, or is in the past, is none', async () => {
  const set = Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0)
  const past = new Uint8Array(16).fill(255)
  const unreadable = await look({ call: renderCall(PSELECT, 1, 4096, 0, 0, 65_536) }, { 4096: set })
  const negative = await look({ call: renderCall(PSELECT, 1, 4096, 0, 0, 8192) }, { 4096: set, 8192: past })
  for (const seen of [unreadable, negative]) {
    expect(seen?.waits).toMatchObject([{ pid: PROGRAM, call: 'poll' }])
    expect(seen?.waits[0]).not.toHaveProperty('timeoutMs')
  }
})
