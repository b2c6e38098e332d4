/** Subscribers in a process of their own. Prints a line when they are ready and one when they have seen everything. */
import { AhpClient, openWebSocket } from '@agent-terminals/ahp/client'
import { WebSocket } from 'ws'
import { FLOOD_END, FLOOD_LINE, floodLines, Lag } from './programs.mjs'
import { URI } from './serve.mjs'

const [address, mode, ...options] = process.argv.slice(2)
const say = (value) => console.log(JSON.stringify(value))

/**
 * @param onData - told what is printed, as it arrives.
 * @param onDropped - told when the host has dropped the client, which then gets a snapshot instead of what is missing.
 */
async function subscribe(onData, delivery, onDropped = () => {}) {
  const client = new AhpClient({ open: () => openWebSocket(address, { WebSocket }) })
  await client.waitForReady()
  client.onStatus(({ kind }) => {
    if (kind === 'waiting') onDropped()
  })
  const view = await client.subscribeTerminal(URI, delivery)
  view.onEvent((event) => {
    if (event.type === 'action' && event.envelope.action.type === 'terminal/data') onData(event.envelope.action.data)
  })
}

async function latency(lines, maxLatencyMs) {
  const lag = new Lag()
  const delivery = maxLatencyMs === 'default' ? {} : { maxLatencyMs: Number(maxLatencyMs) }
  await subscribe((data) => {
    lag.take(data)
    if (lag.lines === Number(lines)) {
      say(lag.report())
      process.exit(0)
    }
  }, delivery)
  say('ready')
}

/** Counts whole lines without keeping them. */
class FloodCheck {
  #rest = ''
  #lines = 0
  isOver = false

  take(data) {
    if (this.isOver) return
    const lines = (this.#rest + data).split('\r\n')
    this.#rest = lines.pop()
    for (const line of lines) {
      if (line === FLOOD_LINE || line.endsWith(`\r${FLOOD_LINE}`)) this.#lines++
      if (line === FLOOD_END) this.isOver = true
    }
  }

  get lines() {
    return this.#lines
  }
}

async function flood(count, megabytes) {
  const checks = Array.from({ length: Number(count) }, () => new FloodCheck())
  const handle = (check, data) => {
    check.take(data)
    if (!checks.every(({ isOver }) => isOver)) return
    say({ complete: checks.every(({ lines }) => lines === floodLines(Number(megabytes))) })
    process.exit(0)
  }
  const giveUp = () => {
    say({ complete: false })
    process.exit(0)
  }
  await Promise.all(checks.map((check) => subscribe((data) => handle(check, data), undefined, giveUp)))
  say('ready')
}

await { latency, flood }[mode](...options)
