import { useBaseline } from '@agent-terminals/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { World } from './world.js'

useBaseline()

/** One thing that happens, with a name for the report of a counterexample. */
type Command = readonly [name: string, run: (world: World) => void]

const index = fc.nat({ max: 5 })

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 5, arbitrary: index.map((at) => [`spawn ${at}`, (world: World) => world.spawn(at)] as const) },
  { weight: 2, arbitrary: index.map((at) => [`abort ${at}`, (world: World) => world.abort(at)] as const) },
  {
    weight: 6,
    arbitrary: fc
      .tuple(
        index,
        fc.constantFrom('succeeded' as const, 'succeeded' as const, 'failed' as const, 'left behind' as const),
        fc.boolean(),
      )
      .map(
        ([at, verdict, works]) =>
          [`open ${at} ${verdict} ${works}`, (world: World) => world.answerOpen(at, verdict, works)] as const,
      ),
  },
  {
    weight: 6,
    arbitrary: fc
      .tuple(index, index)
      .map(([at, owner]) => [`send ${at} by ${owner}`, (world: World) => world.send(at, owner)] as const),
  },
  { weight: 2, arbitrary: index.map((at) => [`cancel ${at}`, (world: World) => world.cancel(at)] as const) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(index, fc.boolean())
      .map(([at, works]) => [`settle send ${at} ${works}`, (world: World) => world.settleSend(at, works)] as const),
  },
  { weight: 2, arbitrary: index.map((at) => [`signal ${at}`, (world: World) => world.signal(at)] as const) },
  { weight: 2, arbitrary: index.map((at) => [`exit ${at}`, (world: World) => world.exit(at)] as const) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(index, fc.boolean())
      .map(([at, byObserver]) => [`close ${at} ${byObserver}`, (world: World) => world.close(at, byObserver)] as const),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(index, fc.boolean())
      .map(([at, works]) => [`closed ${at} ${works}`, (world: World) => world.answerClose(at, works)] as const),
  },
  {
    weight: 5,
    arbitrary: fc
      .tuple(index, fc.boolean())
      .map(([at, byClient]) => [`claim ${at} ${byClient}`, (world: World) => world.claim(at, byClient)] as const),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(index, fc.boolean())
      .map(([at, byScope]) => [`release ${at} ${byScope}`, (world: World) => world.release(at, byScope)] as const),
  },
  { weight: 1, arbitrary: fc.constant(['dispose', (world: World) => world.dispose()] as const) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(1, 500, 1_000, 2_000, 10_000)
      .map((byMs) => [`advance ${byMs}`, (world: World) => world.advance(byMs)] as const),
  },
)

/** A command, and whether everything it causes happens before the next one. */
const timeline = fc.array(fc.tuple(command, fc.boolean()), { minLength: 5, maxLength: 50, size: 'max' })

describe('the service under any interleaving', () => {
  it('keeps one owner and one active send, settles every promise, loses no failure and leaves nothing', async () => {
    await fc.assert(
      fc.asyncProperty(timeline, async (steps) => {
        const world = await World.create()
        for (const [[, run], isSettled] of steps) {
          run(world)
          if (!isSettled) continue
          await world.settle()
          world.check()
        }
        world.dispose()
        await world.runOut()
        world.checkEnd()
        expect(
          world.violations,
          steps.map(([[name], isSettled]) => `${name}${isSettled ? ' .' : ''}`).join('\n'),
        ).toEqual([])
      }),
      { numRuns: 200 },
    )
  })
})
