import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ACTIONS } from '../../soak/actions/index.mjs'
import { planAgent, planHostKill } from '../../soak/plan.mjs'
import { createRandom } from '../../soak/random.mjs'

const place = fc.record({ seed: fc.nat(), wave: fc.nat(100), agent: fc.nat(10) })

it('the same seed gives the same plan', () => {
  fc.assert(
    fc.property(place, (where) => {
      expect(planAgent(where)).toEqual(planAgent(where))
      expect(planHostKill(where)).toEqual(planHostKill(where))
    }),
  )
})

it('seeds, waves and agents have plans of their own', () => {
  const plans = [
    { seed: 1, wave: 0, agent: 0 },
    { seed: 2, wave: 0, agent: 0 },
    { seed: 1, wave: 1, agent: 0 },
    { seed: 1, wave: 0, agent: 1 },
  ].map((where) => JSON.stringify(planAgent(where)))
  expect(new Set(plans).size).toBe(plans.length)
})

it('every action comes up, and none whose program is missing', () => {
  const kindsOf = (missing: ReadonlySet<string>) =>
    new Set(
      Array.from({ length: 100 }, (_, agent) => planAgent({ seed: 7, wave: 0, agent }, missing)).flatMap(({ steps }) =>
        steps.map(({ kind }) => kind),
      ),
    )
  expect([...kindsOf(new Set())].sort()).toEqual(ACTIONS.map(({ kind }) => kind).sort())
  expect(kindsOf(new Set(['less'])).has('less')).toBe(false)
})

it('numbers stay within their bounds and use all of them', () => {
  const random = createRandom('bounds')
  const seen = new Set(Array.from({ length: 200 }, () => random.int(-1, 2)))
  expect([...seen].sort()).toEqual([-1, 0, 1, 2])
  expect(random.word()).toMatch(/^q[0-9a-z]+$/)
})
