/** One wave: some agents at once, each with its plan, until all have ended. */

import { ACTIONS } from './actions/index.mjs'
import { SoakAgent } from './agent.mjs'
import { createPerson } from './person.mjs'
import { planAgent } from './plan.mjs'

/** Longer than any wait of a send: whoever takes more will never come back. */
const STUCK_MS = 90_000

const ACTION_OF = new Map(ACTIONS.map((action) => [action.kind, action]))

/**
 * @param options.isTimeUp asked between the steps.
 * @param options.onBreak told of each broken promise, with the step and the agent's last calls.
 * @param options.onStep told of each step that is over, with its time.
 */
export async function runWave(house, { seed, wave, agents, missing, isTimeUp, onBreak, onStep }) {
  const person = await createPerson(house.ctx)
  const running = []
  const findPeer = (self, number) => {
    const others = running.filter((each) => each !== self && each.isAlive)
    return others[number % others.length]
  }
  const live = async (number) => {
    const plan = planAgent({ seed, wave, agent: number }, missing)
    const agent = new SoakAgent(house.ctx, await house.ctx.agents.create({ cwd: house.cwd }), person, findPeer)
    running.push(agent)
    const told = (step, error) => onBreak(error, { wave, agent: number, step, trail: agent.trail })
    let isBroken = false
    for (const [index, step] of plan.steps.entries()) {
      if (isTimeUp()) break
      const started = performance.now()
      try {
        await withinTime(runStep(agent, step), step.kind)
      } catch (error) {
        told({ index, ...step }, error)
        // What comes after would only repeat it.
        isBroken = true
        break
      }
      onStep(step.kind, performance.now() - started)
    }
    const started = performance.now()
    try {
      await withinTime(agent.end(isBroken ? 'leave all' : plan.ending), 'the end')
      onStep('end of the agent', performance.now() - started)
    } catch (error) {
      told(plan.ending, error)
    }
  }
  await Promise.all(Array.from({ length: agents }, (_, number) => live(number)))
  person.close()
}

async function runStep(agent, step) {
  if (!agent.terminals.has(step.slot)) await agent.open(step.slot)
  await ACTION_OF.get(step.kind).run(agent, step)
  agent.checkOwnership()
}

async function withinTime(work, what) {
  let timer
  const stuck = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`stuck: ${what} has taken ${STUCK_MS / 1_000} s`)), STUCK_MS)
  })
  try {
    return await Promise.race([work, stuck])
  } finally {
    clearTimeout(timer)
  }
}
