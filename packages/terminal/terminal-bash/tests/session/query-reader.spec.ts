/** When a question of a program is answered, by who reads from the terminal. */
import { ManualClock } from '@agent-terminals/testing'
import { describe, expect, it } from 'vitest'
import type { PromptPhase } from '../../src/core/index.js'
import { type QueryOptions, QueryResponder } from '../../src/session/queries.js'

const NOBODY = { kind: 'nobody', waits: [] } as const
const SHELL = { kind: 'shell', waits: [] } as const
const PROGRAM = { kind: 'program', waits: [] } as const
const DEVICE_STATUS = '\x1b[0n'

function startResponder(options: Partial<QueryOptions> = {}) {
  const clock = new ManualClock()
  const written: string[] = []
  const world = { phase: 'running' as PromptPhase, reader: NOBODY as Awaited<ReturnType<QueryOptions['reader']>> }
  const responder = new QueryResponder({
    clock: { now: () => clock.now(), schedule: (delayMs, run) => clock.after(delayMs, run) },
    phase: () => world.phase,
    cursor: async () => ({ row: 1, column: 1 }),
    reader: async () => world.reader,
    write: (data) => written.push(data),
    ...options,
  })
  /** Let time pass, and looks come to their end. */
  const pass = async (ms: number) => {
    for (let each = 0; each < ms; each++) {
      clock.advance(1)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return { responder, written, world, pass }
}

describe('a question', () => {
  it('at the prompt is not answered: nobody would read it', async () => {
    const { responder, written, world, pass } = startResponder()
    world.phase = 'prompt'
    world.reader = PROGRAM
    responder.ask('device-status')
    await pass(1)
    expect([written, responder.isPending]).toEqual([[], false])
  })

  it('of a program that then reads is answered', async () => {
    const { responder, written, world, pass } = startResponder()
    responder.ask('device-status')
    await pass(5)
    expect(written).toEqual([])
    world.reader = PROGRAM
    await pass(5)
    expect(written).toEqual([DEVICE_STATUS])
  })

  it('is answered to the shell itself once it has read for longer than the mark of a prompt takes', async () => {
    const { responder, written, world, pass } = startResponder()
    world.reader = SHELL
    responder.ask('device-status')
    await pass(8)
    expect(written).toEqual([])
    await pass(8)
    expect(written).toEqual([DEVICE_STATUS])
  })

  it('is dropped when its terminal ends while it is looked who reads', async () => {
    const { responder, written, world, pass } = startResponder()
    world.reader = PROGRAM
    responder.ask('device-status')
    responder.close()
    await pass(1)
    expect(written).toEqual([])
  })

  it('that comes while it is looked who reads is answered together with the one before', async () => {
    let askAgain = () => {}
    const { responder, written, pass } = startResponder({
      reader: async () => {
        askAgain()
        return PROGRAM
      },
    })
    askAgain = () => {
      askAgain = () => {}
      responder.ask('device-status')
    }
    responder.ask('device-status')
    await pass(1)
    expect(written).toEqual([DEVICE_STATUS.repeat(2)])
  })
})
