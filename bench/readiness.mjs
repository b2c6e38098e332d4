/** Readiness: right verdicts on a corpus of situations, how soon they come, and what waiting for them costs. */

import { runCorpus } from './readiness/corpus.mjs'
import { measureLooks, measureWaiting } from './readiness/cost.mjs'
import { openFloor } from './readiness/floor.mjs'
import { startHost } from './readiness/host.mjs'
import { SCREEN_ROWS } from './readiness/screen-rows.mjs'

export const name = 'readiness'
export const describe = 'verdicts on real situations, their latency, and the cost of waiting, against raw node-pty'

export const quickLeavesOut =
  'screens, most situations and most rounds: verdicts are judged, times and the cost of waiting are seen'

function percentile(values, share) {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

const within = (label, unit, ours, limit) => ({
  case: label,
  unit,
  ours,
  target: `≤ ${limit} ${unit}`.trim(),
  pass: ours <= limit,
  ...(unit === '' ? {} : { needsRounds: true }),
})

const above = (label, ours, floor, marginMs) => ({
  case: label,
  unit: 'ms',
  ours,
  floor,
  ratio: ours / floor,
  target: `≤ floor + ${marginMs} ms`,
  pass: ours <= floor + marginMs,
  needsRounds: true,
})

async function judgeCorpus(host, options) {
  const { outcomes, left } = await runCorpus(host, options)
  const wrong = outcomes.filter((each) => !each.isRight)
  for (const { row, verdict, wanted, isFalse } of wrong) {
    console.log(`  ${isFalse ? 'FALSE' : 'other'}  ${row.name}: ${verdict}, expected ${wanted.join(' or ')}`)
  }
  if (left.length > 0) console.log(`  left out, program missing: ${left.join(', ')}`)
  const latencies = outcomes
    .filter((each) => each.isExact && each.latencyMs !== undefined)
    .map((each) => each.latencyMs)
  const rightShare = (100 * (outcomes.length - wrong.length)) / outcomes.length
  return [
    {
      case: `situations judged (${left.length} left out)`,
      unit: '',
      ours: outcomes.length,
      target: '≥ 60',
      pass: outcomes.length >= 60,
    },
    within('false “ready” verdicts', '', outcomes.filter((each) => each.isFalse).length, 0),
    { case: 'reason and state exactly right', unit: '%', ours: rightShare, target: '≥ 95 %', pass: rightShare >= 95 },
    within('last byte to exact verdict, p50', 'ms', percentile(latencies, 0.5), 10),
    within('last byte to exact verdict, p95', 'ms', percentile(latencies, 0.95), 30),
  ]
}

/** Programs that draw the screen, with the feature on that keeps it. */
async function judgeScreens() {
  const host = await startHost({ features: { screen: true } })
  try {
    const rows = await judgeCorpus(host, { corpus: SCREEN_ROWS })
    return rows
      .filter((row) => !row.case.startsWith('situations'))
      .map((row) => ({ ...row, case: `screens: ${row.case}` }))
  } finally {
    await host.close()
  }
}

async function measureRoundTrip(host, rounds) {
  const [ours, floor] = [await host.open(), await openFloor()]
  const times = { ours: [], floor: [] }
  for (let round = -10; round < rounds; round++) {
    for (const [side, terminal] of [
      ['floor', floor],
      ['ours', ours],
    ]) {
      const started = performance.now()
      await terminal.send('true')
      if (round >= 0) times[side].push(performance.now() - started)
    }
  }
  await Promise.all([ours.close(), floor.close()])
  return [
    above('send "true", p50', percentile(times.ours, 0.5), percentile(times.floor, 0.5), 3),
    above('send "true", p95', percentile(times.ours, 0.95), percentile(times.floor, 0.95), 8),
  ]
}

async function measureOpen(host, rounds) {
  const times = { ours: [], floor: [] }
  for (let round = 0; round < rounds; round++) {
    const floor = await openFloor()
    times.floor.push(floor.openMs)
    await floor.close()
    const started = performance.now()
    const ours = await host.open()
    times.ours.push(performance.now() - started)
    await ours.close()
  }
  return above('open to ready, p50', percentile(times.ours, 0.5), percentile(times.floor, 0.5), 10)
}

async function measureCrowd(host, count) {
  const terminals = await Promise.all(Array.from({ length: count }, () => host.open()))
  const times = []
  for (let round = 0; round < 5; round++) {
    await Promise.all(
      terminals.map(async (terminal) => {
        const started = performance.now()
        await terminal.send('true')
        times.push(performance.now() - started)
      }),
    )
  }
  await Promise.all(terminals.map((terminal) => terminal.close()))
  return within(`${count} sends of "true" at once, p50`, 'ms', percentile(times, 0.5), 30)
}

export async function run({ quick }) {
  const host = await startHost()
  try {
    const rows = await judgeCorpus(host, quick ? { only: /^(?:true|echo|read|cat|python|less|unfinished)/ } : {})
    if (!quick) rows.push(...(await judgeScreens()))
    rows.push(...(await measureRoundTrip(host, quick ? 50 : 300)))
    rows.push(await measureOpen(host, quick ? 10 : 40))
    rows.push(await measureCrowd(host, 30))
    rows.push(within('one send waiting for `sleep 3`', '% of a core', await measureWaiting(host, 1), 1))
    rows.push(within('30 sends waiting for `sleep 3`', '% of a core', await measureWaiting(host, 30), 10))
    const { few, many } = await measureLooks(host, quick ? 200 : 1_000)
    rows.push({
      case: `one look beside ${quick ? 200 : 1_000} more processes`,
      unit: 'ms',
      ours: many,
      floor: few,
      ratio: many / few,
      target: '≤ 1.5 ×',
      pass: many / few <= 1.5,
      needsRounds: true,
    })
    return quick ? rows.filter((row) => !row.case.startsWith('situations')) : rows
  } finally {
    await host.close()
  }
}
