/** Whatever happens, a client's copy becomes the host's state: live, over breaks, and over breaks beyond the buffer. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChannelView } from '../../src/client/index.js'
import type { TerminalState, Transport } from '../../src/protocol/index.js'
import { openClient } from '../support/clients.js'
import { settle, T } from '../support/house.js'
import { useHouse } from '../support/use-house.js'

const at = useHouse()

type Step =
  | { readonly kind: 'print'; readonly text: string }
  | { readonly kind: 'run' | 'finish' | 'break' | 'return' | 'clear' }
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'rename'; readonly title: string }
  | { readonly kind: 'resize'; readonly cols: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 9 })
      .map((text): Step => ({ kind: 'print', text })),
  },
  fc.constantFrom<Step>({ kind: 'run' }, { kind: 'finish' }, { kind: 'clear' }),
  fc.constantFrom<Step>({ kind: 'break' }, { kind: 'return' }),
  fc.integer({ min: 1, max: 20 }).map((ms): Step => ({ kind: 'pass', ms })),
  fc.constantFrom('one', 'two').map((title): Step => ({ kind: 'rename', title })),
  fc.integer({ min: 10, max: 200 }).map((cols): Step => ({ kind: 'resize', cols })),
)

async function play(replayEntries: number, steps: readonly Step[]): Promise<void> {
  const house = await at.rebuild({ replayEntries })
  const transports: Transport[] = []
  let isHeldOff = false
  const { client, clock } = openClient({
    open: async () => {
      if (isHeldOff) throw new Error('no network')
      const transport = house.open()
      transports.push(transport)
      return transport
    },
  })
  await client.waitForReady()
  const view: ChannelView<TerminalState> = await client.subscribeTerminal(await client.createTerminal({ uri: T }))
  const session = house.backend.last
  let finish: ((exitCode: number) => void) | undefined
  const actions: Readonly<Record<Step['kind'], (each: Step) => void>> = {
    print: (each) => each.kind === 'print' && session.print(each.text),
    run: () => {
      finish = session.run('x')
    },
    finish: () => finish?.(0),
    break: () => {
      isHeldOff = true
      transports.at(-1)?.close()
    },
    return: () => {
      isHeldOff = false
      clock.advance(60_000)
    },
    clear: () => void client.dispatch(T, { type: 'terminal/cleared' }),
    pass: (each) => each.kind === 'pass' && house.clock.advance(each.ms),
    rename: (each) =>
      each.kind === 'rename' && void client.dispatch(T, { type: 'terminal/titleChanged', title: each.title }),
    resize: (each) =>
      each.kind === 'resize' && void client.dispatch(T, { type: 'terminal/resized', cols: each.cols, rows: 20 }),
  }
  for (const each of steps) {
    actions[each.kind](each)
    await settle()
  }
  isHeldOff = false
  for (let round = 0; round < 3 && client.status.kind !== 'ready'; round++) {
    clock.advance(60_000)
    await settle()
  }
  await house.pass(20)
  expect(view.state).toEqual(await house.stateOf())
  expect(client.pendingCount).toBe(0)
  client.close()
  await settle()
}

describe('a client’s copy', () => {
  it.each([1_000, 3])('is the host’s state after anything, with a buffer of %d', async (replayEntries) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), (steps) => play(replayEntries, steps)),
      { numRuns: 40 },
    )
  })
})
