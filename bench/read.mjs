/** Pages of scrollback: what a read costs, and that it does not grow with what is retained. */
import { SIZE } from './output/cases.mjs'
import { openTerminal } from './output/open-terminal.mjs'

export const name = 'read'
export const describe = 'a page of 100 lines out of retained scrollback'

export const quickLeavesOut = 'nine tenths of the reads'

const PAGE_LINES = 100
const TARGET_MS = 0.2
/** Retaining a hundred times as much may not show beyond noise. */
const GROWTH = 2

/** Median over pages from all over the scrollback. */
function medianMs(session, lines, reads) {
  const times = []
  for (let i = 0; i < reads; i += 1) {
    const offset = (i * 37) % (lines - PAGE_LINES)
    const startedAt = performance.now()
    const page = session.read({ lines: PAGE_LINES, offset })
    times.push(performance.now() - startedAt)
    if (page.lineEnd - page.lineBegin !== PAGE_LINES - 1)
      throw new Error(`a page of ${page.lineEnd - page.lineBegin + 1} lines`)
  }
  return times.sort((a, b) => a - b)[reads >> 1]
}

async function measure(lines, reads) {
  const session = await openTerminal({ scrollbackLines: lines, scrollbackMaxBytes: lines * 100 }, SIZE)
  try {
    await session.send(`seq -f 'line %.0f of an output that is about as long as lines are' 1 ${lines + 10}`, 60_000)
    medianMs(session, lines, reads)
    return medianMs(session, lines, reads)
  } finally {
    await session.close()
  }
}

export async function run({ quick }) {
  const reads = quick ? 500 : 5000
  const small = await measure(1000, reads)
  const usual = await measure(10_000, reads)
  const large = await measure(100_000, reads)
  return [
    {
      case: '100 of 10,000 lines, p50',
      unit: 'ms',
      ours: usual,
      target: `≤ ${TARGET_MS} ms`,
      pass: usual <= TARGET_MS,
    },
    {
      case: '100 of 100,000 lines against 100 of 1,000',
      unit: 'ms',
      ours: large,
      floor: small,
      ratio: large / small,
      target: `≤ ${GROWTH} ×`,
      pass: large / small <= GROWTH,
    },
  ]
}
