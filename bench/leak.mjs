// Opening and ending terminals over and over: what the host holds at the end, beside what it held at the start.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export const name = 'leak'
export const describe = 'terminals opened and ended over and over; ours is what is held at the end, floor at the start'

export const quickLeavesOut = '960 of 1,000 rounds: what is held is judged, growth of the heap is seen'

const PROGRAM = fileURLToPath(new URL('./leak/rounds.mjs', import.meta.url))
/**
 * A terminal that is not let go of costs tens of kilobytes. What the engine still learns about the program in its second
 * thousand rounds is a few hundred bytes a round, and nothing after the third.
 */
const HEAP_BYTES_PER_ROUND = 1024

async function runRounds(rounds, failures) {
  const child = spawn(process.execPath, ['--expose-gc', PROGRAM, String(rounds), String(failures)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`the rounds ended with code ${code}`)
  return JSON.parse(output)
}

export async function run({ quick }) {
  const [rounds, failures] = quick ? [40, 10] : [1000, 200]
  const { start, halfway, end, disposed } = await runRounds(rounds, failures)
  const counts = Object.entries(start.census).map(([what, before]) => ({
    case: what,
    unit: '',
    ours: end.census[what],
    floor: before,
    target: what === 'zombies' ? 'none' : 'as at the start',
    pass: what === 'zombies' ? end.census[what] === 0 : end.census[what] <= before,
  }))
  const second = rounds / 2 + failures / 2
  const growth = (end.heapBytes - halfway.heapBytes) / second
  const left = disposed.processes + disposed.zombies + disposed['terminals held']
  return [
    ...counts,
    {
      case: 'processes and terminals after the end of the service',
      unit: '',
      ours: left,
      target: 'none',
      pass: left === 0,
    },
    {
      case: `heap after ${rounds} rounds and ${failures} failed opens`,
      unit: 'MB',
      ours: end.heapBytes / 1e6,
      floor: start.heapBytes / 1e6,
      ratio: end.heapBytes / start.heapBytes,
      target: 'for comparison',
      pass: true,
    },
    {
      case: 'heap growth per round in the second half',
      unit: 'B',
      ours: growth,
      target: `≤ ${HEAP_BYTES_PER_ROUND} B`,
      pass: growth <= HEAP_BYTES_PER_ROUND,
      needsRounds: true,
    },
  ]
}
