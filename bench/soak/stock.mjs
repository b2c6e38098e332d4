/** What the host holds between two waves, and whether that stays the same. */
import { measureHeap, takeQuietCensus } from '../leak/census.mjs'

export async function takeStock(hostTag) {
  const census = await takeQuietCensus(hostTag)
  const heapBytes = await measureHeap()
  return { census, heapMiB: heapBytes / 2 ** 20, rssMiB: process.memoryUsage.rss() / 2 ** 20 }
}

/** Exact: whatever is held more than at first has been left behind. @returns one sentence per kind. */
export function findLeft(first, now) {
  return Object.entries(first.census)
    .filter(([what, before]) => now.census[what] > before)
    .map(([what, before]) => `${what}: ${now.census[what]} after the wave, ${before} after the first one`)
}

const WARM_UP = 0.25
const LEAST_STOCKS = 8
const TOLERANCES = {
  heapMiB: { words: 'heap', share: 0.08, mib: 3 },
  rssMiB: { words: 'resident memory', share: 0.15, mib: 32 },
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length

/**
 * Memory after the first quarter, in which the engine learns the program: its last third against its first third.
 * @returns how it went; `isFlat` is undefined when there are too few stocks to tell.
 */
export function judgeMemory(stocks) {
  return Object.entries(TOLERANCES).map(([key, { words, share, mib }]) => {
    const values = stocks.slice(Math.ceil(stocks.length * WARM_UP)).map((stock) => stock[key])
    const third = Math.floor(values.length / 3)
    if (stocks.length < LEAST_STOCKS) return { words, isFlat: undefined, text: `${words}: too few waves to tell` }
    const [early, late] = [mean(values.slice(0, third)), mean(values.slice(-third))]
    const limit = early * (1 + share) + mib
    const text = `${words}: ${early.toFixed(1)} MiB, then ${late.toFixed(1)} MiB (flat up to ${limit.toFixed(1)})`
    return { words, isFlat: late <= limit, text }
  })
}
