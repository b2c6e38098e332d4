// `npm run soak [-- --minutes N] [--seed N] [--agents N] [--json FILE]`: random agents on a real composition, and what must hold all
// the time. The same seed gives the same plan. Ends with 1 when a promise was broken, with 2 when it was called wrongly.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { killHost } from './host-kill.mjs'
import { buildHouse } from './house.mjs'
import { createLedger } from './ledger.mjs'
import { findMissing } from './missing.mjs'
import { planHostKill } from './plan.mjs'
import { renderReport } from './report.mjs'
import { findLeft, judgeMemory, takeStock } from './stock.mjs'
import { runWave } from './wave.mjs'

function readOptions() {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '10' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
      agents: { type: 'string', default: '6' },
      json: { type: 'string' },
    },
  })
  const numbers = { minutes: Number(values.minutes), seed: Number(values.seed), agents: Number(values.agents) }
  const { minutes, seed, agents } = numbers
  if (!(minutes > 0)) throw new Error(`--minutes must be a number above 0, not ${values.minutes}`)
  if (!Number.isSafeInteger(seed)) throw new Error(`--seed must be a whole number, not ${values.seed}`)
  if (!Number.isSafeInteger(agents) || agents < 1)
    throw new Error(`--agents must be a whole number above 0, not ${values.agents}`)
  return { ...numbers, json: values.json }
}

let options
try {
  options = readOptions()
} catch (error) {
  console.error(`soak: ${error.message}`)
  process.exit(2)
}

// Memory is compared after collections.
setFlagsFromString('--expose-gc')
globalThis.gc = runInNewContext('gc')

const { minutes, seed, agents, json } = options
const ledger = createLedger()
const missing = findMissing()
console.log(`soak: ${minutes} min, ${agents} agents at once, seed ${seed}`)

process.on('unhandledRejection', (error) => ledger.break(`unhandled rejection: ${error?.stack ?? error}`))
process.on('warning', (warning) => ledger.break(`warning of Node: ${warning.message}`))

const house = await buildHouse((type, text) => (type === 'error' ? ledger.break(`logged: ${text}`) : ledger.warn(text)))
// A terminal that stays for the whole run, and keeps the watcher of the host's end alive.
const resident = { id: 'resident', ctx: house.ctx, cwd: house.cwd }
const { sessionId } = await house.ctx.terminals.spawn(resident, { type: 'shell' })

async function askResident(wave) {
  const { outcome } = house.ctx.terminals.send(resident, sessionId, {
    text: `printf '%s-%s\\n' wave ${wave}`,
    submit: true,
  })
  const { result, kind } = await outcome
  const text = result?.viewport.text
  if (text !== `wave-${wave}\n`)
    ledger.break(`the terminal that stays answered ${JSON.stringify(text ?? kind)}`, { wave })
}

const started = performance.now()
const isTimeUp = () => performance.now() - started > minutes * 60_000 || ledger.isOver
const stocks = []
const kills = []

async function killAnother(wave) {
  const plan = planHostKill({ seed, wave })
  if (plan === undefined) return
  try {
    kills.push(await killHost({ seed, wave, ...plan }))
  } catch (error) {
    ledger.break(error.message, { wave })
  }
}

let wave = 0
for (; !isTimeUp(); wave++) {
  await Promise.all([
    killAnother(wave),
    runWave(house, {
      seed,
      wave,
      agents,
      missing,
      isTimeUp,
      onStep: ledger.count,
      onBreak: (error, where) =>
        ledger.break(error.name === 'BrokenPromise' ? error.message : (error.stack ?? String(error)), where),
    }),
  ])
  await askResident(wave)
  const stock = await takeStock(house.hostTag)
  stocks.push(stock)
  for (const left of findLeft(stocks[0], stock)) ledger.break(left, { wave })
}

const memory = judgeMemory(stocks)
for (const { isFlat, text } of memory) if (isFlat === false) ledger.break(`memory grows: ${text}`)

const { hostTag } = house
await house.close()
const { processes, zombies, 'terminals held': terminals } = (await takeStock(hostTag)).census
if (processes + zombies + terminals > 0) {
  ledger.break(`after the end of the host: ${processes} processes, ${zombies} zombies, ${terminals} terminals`)
}

const elapsedMs = performance.now() - started
console.log(renderReport({ ledger, stocks, memory, waves: wave, seed, elapsedMs, kills, missing }))
if (json !== undefined) {
  const { actions, breaks, warnings } = ledger
  const facts = { seed, minutes, agents, waves: wave, elapsedMs, node: process.version, missing: [...missing] }
  const data = {
    ...facts,
    actions: Object.fromEntries(actions),
    breaks,
    warnings: Object.fromEntries(warnings),
    kills,
    stocks,
    memory,
  }
  writeFileSync(json, `${JSON.stringify(data, null, 2)}\n`)
}
process.exit(ledger.breaks.length === 0 ? 0 : 1)
