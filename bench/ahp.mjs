/** AHP: how long a byte takes from the program to a subscriber, and what it costs to serve ten of them. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const name = 'ahp'
export const describe = 'a real shell to subscribers on WebSockets in another process, against raw node-pty in one'

export const quickLeavesOut = 'five sixths of the output and of the lines: what arrives is judged, times are seen'

const MEASURE = fileURLToPath(new URL('ahp/measure.mjs', import.meta.url))
const SUBSCRIBERS = 10
const LIMITS = { default: 12, immediate: 3 }

async function measure(...args) {
  const { stdout } = await promisify(execFile)(process.execPath, [MEASURE, ...args.map(String)], { maxBuffer: 1 << 26 })
  return JSON.parse(stdout)
}

/** `everyMs`: how often the program writes a line. Faster than the batches, they have something to batch. */
async function latencyRow(what, everyMs, maxLatencyMs, limit, lines, quick) {
  const floor = await measure('latency-floor', lines, everyMs)
  const ours = await measure('latency', lines, everyMs, maxLatencyMs ?? 'default')
  return {
    case: `latency, p50: ${what}`,
    unit: 'ms',
    ours: ours.p50,
    floor: floor.p50,
    ratio: ours.p50 / floor.p50,
    target: quick ? 'all lines arrive' : `≤ ${limit} ms (p95 ${ours.p95.toFixed(2)})`,
    pass: ours.lines === lines && (quick || ours.p50 <= limit),
  }
}

export async function run({ quick }) {
  const lines = quick ? 50 : 300
  const megabytes = quick ? 4 : 24
  const rows = [
    await latencyRow('a line every 20 ms, default batching', 20, undefined, LIMITS.default, lines, quick),
    await latencyRow('a line every 2 ms, default batching', 2, undefined, LIMITS.default, lines, quick),
    await latencyRow('a line every 20 ms, maxLatencyMs 0', 20, 0, LIMITS.immediate, lines, quick),
    await latencyRow('a line every 2 ms, maxLatencyMs 0', 2, 0, LIMITS.immediate, lines, quick),
  ]
  const floor = await measure('flood-floor', megabytes)
  const ours = await measure('flood', megabytes, SUBSCRIBERS)
  rows.push(
    {
      case: `${megabytes} MB to ${SUBSCRIBERS} subscribers, to each`,
      unit: 'MB/s',
      ours: ours.megabytesPerSecond,
      floor: floor.megabytesPerSecond,
      ratio: ours.megabytesPerSecond / floor.megabytesPerSecond,
      target: 'complete and in order for all',
      pass: ours.complete,
    },
    {
      case: `CPU time of the host per MB, ${SUBSCRIBERS} subscribers`,
      unit: 'ms',
      ours: ours.cpuMsPerMegabyte,
      floor: floor.cpuMsPerMegabyte,
      ratio: ours.cpuMsPerMegabyte / floor.cpuMsPerMegabyte,
      target: `≤ 8 ms per MB and subscriber (${(ours.cpuMsPerMegabyte / SUBSCRIBERS).toFixed(2)})`,
      pass: ours.complete && ours.cpuMsPerMegabyte / SUBSCRIBERS <= 8,
      needsRounds: true,
    },
  )
  return rows
}
