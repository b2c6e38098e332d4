/** One measurement in a fresh process: `node measure.mjs <ours|floor> <case> <scale>`. Prints one line of JSON. */
import { spawn } from 'node-pty'
import { CASES, SIZE } from './cases.mjs'

const [side, name, scale] = process.argv.slice(2)
const command = CASES[name](Number(scale))
/** Hosts live long: what is compiled once is not part of the measurement, on either side. */
const warmUp = CASES[name](Number(scale) / 20)

async function measured(work) {
  let peak = 0
  const before = process.memoryUsage.rss()
  const sampler = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 200)
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  await work()
  const wallMs = performance.now() - startedAt
  const { user, system } = process.cpuUsage(cpu)
  clearInterval(sampler)
  peak = Math.max(peak, process.memoryUsage.rss())
  return { wallMs, cpuMs: (user + system) / 1000, growthMiB: (peak - before) / 2 ** 20 }
}

/** The least a host can do: read the bytes and count them. */
function count(command) {
  const pty = spawn('bash', ['--norc', '-c', command], {
    cols: SIZE.columns,
    rows: SIZE.rows,
    name: 'xterm-256color',
    encoding: null,
  })
  let bytes = 0
  pty.onData((chunk) => {
    bytes += chunk.length
  })
  return new Promise((resolve) => pty.onExit(() => resolve(bytes)))
}

async function ours() {
  const { openTerminal } = await import('./open-terminal.mjs')
  const session = await openTerminal({}, SIZE)
  await session.send(warmUp, 60_000)
  const result = await measured(() => session.send(command, 600_000))
  const { viewport } = await session.send('echo answered', 10_000)
  await session.close()
  return { ...result, answered: viewport.text === 'answered\n' }
}

async function floor() {
  await count(warmUp)
  return measured(() => count(command))
}

console.log(JSON.stringify(side === 'ours' ? await ours() : await floor()))
process.exit(0)
