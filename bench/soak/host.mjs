/** Program of the soak: a host that works until it is killed. Prints `at work <tag of the host>`. Arguments: seed, wave. */
import { buildHouse } from './house.mjs'
import { findMissing } from './missing.mjs'
import { runWave } from './wave.mjs'

const [seed, wave] = process.argv.slice(2).map(Number)
const house = await buildHouse(() => {})
const owner = { id: 'first', ctx: house.ctx, cwd: house.cwd }
await house.ctx.terminals.spawn(owner, { type: 'shell' })
process.stdout.write(`at work ${house.hostTag}\n`)
// Agents of a wave of their own; what they find is found again by the host that stays.
for (let round = 1; ; round++) {
  await runWave(house, {
    seed,
    wave: wave * 1_000 + round,
    agents: 4,
    missing: findMissing(),
    isTimeUp: () => false,
    onBreak: () => {},
    onStep: () => {},
  })
}
