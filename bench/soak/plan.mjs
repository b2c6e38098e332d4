/** What the agents of a run do: all chance is here, so that the same seed gives the same plan. */
import { ACTIONS } from './actions/index.mjs'
import { createRandom } from './random.mjs'

export const TERMINALS_PER_AGENT = 3

/**
 * @param {{ seed: number, wave: number, agent: number }} place
 * @param {ReadonlySet<string>} missing programs that this machine lacks: actions that need one are left out.
 * @returns steps in order, and how the agent ends.
 */
export function planAgent({ seed, wave, agent }, missing = new Set()) {
  const random = createRandom(`${seed}/${wave}/${agent}`)
  const actions = ACTIONS.filter(({ needs }) => needs === undefined || !missing.has(needs))
  const steps = Array.from({ length: random.int(6, 14) }, () => {
    const action = random.pickWeighted(actions)
    return { kind: action.kind, slot: random.int(0, TERMINALS_PER_AGENT - 1), ...action.plan(random) }
  })
  return { steps, ending: random.pick(['close all', 'leave all', 'leave all', 'in the middle of a send']) }
}

/** Whether this wave starts another host, and when that host is killed. */
export function planHostKill({ seed, wave }) {
  const random = createRandom(`${seed}/${wave}/host`)
  return random.chance(0.4) ? { afterMs: random.int(200, 3_000) } : undefined
}
