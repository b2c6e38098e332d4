/** One measurement in a fresh process: `node measure.mjs <what> …`. Prints one line of JSON. */
import { spawn as spawnProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { spawn } from 'node-pty'
import { floodCommand, Lag, tickCommand } from './programs.mjs'
import { serve, URI } from './serve.mjs'

const SUBSCRIBER = fileURLToPath(new URL('subscriber.mjs', import.meta.url))
const [what, ...args] = process.argv.slice(2)

function spawnRaw(command) {
  return spawn('bash', ['--norc', '-c', command], { cols: 200, rows: 50, name: 'xterm-256color', encoding: null })
}

/** Run subscribers in a process of their own. @returns how to wait for their readiness and their report. */
function startSubscribers(address, mode, ...options) {
  const child = spawnProcess(process.execPath, [SUBSCRIBER, address, mode, ...options.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => JSON.parse((await lines.next()).value)
  return { ready: next(), report: next }
}

async function latency(lines, everyMs, maxLatencyMs) {
  const host = await serve()
  const subscribers = startSubscribers(host.address, 'latency', lines, maxLatencyMs)
  await subscribers.ready
  host.type(`${tickCommand(lines, everyMs)}\r`)
  const report = await subscribers.report()
  await host.close()
  return report
}

function latencyFloor(lines, everyMs) {
  const lag = new Lag()
  const pty = spawnRaw(tickCommand(lines, everyMs))
  pty.onData((chunk) => lag.take(chunk.toString()))
  return new Promise((resolve) => pty.onExit(() => resolve(lag.report())))
}

async function flood(megabytes, count) {
  const host = await serve()
  const subscribers = startSubscribers(host.address, 'flood', count, megabytes)
  await subscribers.ready
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  host.type(`${floodCommand(megabytes)}\r`)
  const { complete } = await subscribers.report()
  const wallMs = performance.now() - startedAt
  const { user, system } = process.cpuUsage(cpu)
  await host.close()
  return {
    complete,
    megabytesPerSecond: (megabytes * 1000) / wallMs,
    cpuMsPerMegabyte: (user + system) / 1000 / megabytes,
  }
}

function floodFloor(megabytes) {
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  const pty = spawnRaw(floodCommand(megabytes))
  let bytes = 0
  pty.onData((chunk) => {
    bytes += chunk.length
  })
  return new Promise((resolve) =>
    pty.onExit(() => {
      const wallMs = performance.now() - startedAt
      const { user, system } = process.cpuUsage(cpu)
      resolve({
        bytes,
        megabytesPerSecond: (megabytes * 1000) / wallMs,
        cpuMsPerMegabyte: (user + system) / 1000 / megabytes,
      })
    }),
  )
}

const numbers = args.map((text) => (text === 'default' ? text : Number(text)))
const measures = { latency, 'latency-floor': latencyFloor, flood, 'flood-floor': floodFloor }
console.log(JSON.stringify({ uri: URI, ...(await measures[what](...numbers)) }))
process.exit(0)
