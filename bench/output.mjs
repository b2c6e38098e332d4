/** Output at speed: a whole session against raw node-pty that only counts bytes. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { CASES } from './output/cases.mjs'

export const name = 'output'
export const describe = 'large outputs through a whole session, against raw node-pty counting the same bytes'

export const quickLeavesOut = 'nine tenths of the output and all rounds but one: memory is judged, times are seen'

const MEASURE = fileURLToPath(new URL('output/measure.mjs', import.meta.url))
const WALL = 1.25
const CPU = 1.6
/** Over the configured caps: 4 MiB of scrollback and the send's 256 KiB. */
const GROWTH_MIB = 32 + 4.25
const ROUNDS = 5

async function measure(side, test, scale) {
  const { stdout } = await promisify(execFile)(process.execPath, [MEASURE, side, test, String(scale)])
  return JSON.parse(stdout)
}

const median = (values) => [...values].sort((one, other) => one - other)[values.length >> 1]

/** Sides take turns, and each round is compared with the floors just before and after it: load from elsewhere meets both. */
async function compare(test, scale, rounds) {
  const ours = []
  const floor = [await measure('floor', test, scale)]
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await measure('ours', test, scale))
    floor.push(await measure('floor', test, scale))
  }
  const row = (unit, key, limit) => {
    const bare = ours.map((_, round) => (floor[round][key] + floor[round + 1][key]) / 2)
    const ratio = median(ours.map((run, round) => run[key] / bare[round]))
    const mine = median(ours.map((run) => run[key]))
    const pass = ratio <= limit
    return { unit, ours: mine, floor: median(bare), ratio, target: `≤ ${limit} ×`, pass, needsRounds: true }
  }
  const growth = median(ours.map((run) => run.growthMiB))
  return [
    { case: `${test}: wall time`, ...row('ms', 'wallMs', WALL) },
    { case: `${test}: CPU time of the host`, ...row('ms', 'cpuMs', CPU) },
    {
      case: `${test}: memory growth`,
      unit: 'MiB',
      ours: growth,
      floor: median(floor.map((run) => run.growthMiB)),
      target: `≤ ${GROWTH_MIB} MiB, and the session answers afterwards`,
      pass: growth <= GROWTH_MIB && ours.every((run) => run.answered),
    },
  ]
}

export async function run({ quick }) {
  const rows = []
  for (const test of Object.keys(CASES)) rows.push(...(await compare(test, quick ? 0.1 : 1, quick ? 1 : ROUNDS)))
  return rows
}
