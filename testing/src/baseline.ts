/** Leak check for a suite: what it started must be gone when it ends. */
import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { afterAll, beforeAll, expect } from 'vitest'
import { listDescendants } from './processes.js'

const SIGNALS = [
  'SIGINT',
  'SIGTERM',
  'SIGHUP',
  'exit',
  'beforeExit',
  'uncaughtException',
  'unhandledRejection',
] as const

export interface Baseline {
  readonly children: number
  readonly terminals: number
  readonly timers: number
  readonly listeners: Readonly<Record<string, number>>
}

/** PTY masters this process holds open. */
function countTerminals(): number {
  const directory = existsSync('/proc/self/fd') ? '/proc/self/fd' : '/dev/fd'
  let count = 0
  for (const name of readdirSync(directory)) {
    try {
      if (/\/ptmx$/.test(readlinkSync(`${directory}/${name}`))) count++
    } catch {
      // The descriptor of the listing itself, or one closed meanwhile.
    }
  }
  return count
}

export function captureBaseline(): Baseline {
  return {
    children: listDescendants(process.pid).length,
    terminals: countTerminals(),
    timers: process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length,
    listeners: Object.fromEntries(SIGNALS.map((name) => [name, process.listenerCount(name)])),
  }
}

/**
 * Register hooks that compare processes, PTYs, timers and process listeners before and after the suite.
 * The runner's own timers come and go, so only growth that stays counts as a leak.
 */
export function useBaseline(): void {
  let before: Baseline
  beforeAll(() => {
    before = captureBaseline()
  })
  afterAll(async () => {
    let after = captureBaseline()
    const isClean = () =>
      after.children <= before.children && after.terminals <= before.terminals && after.timers <= before.timers
    // A zombie is reaped, and a closed descriptor leaves the table, one turn of the loop later.
    for (let round = 0; round < 200 && !isClean(); round++) {
      await new Promise((resolve) => setTimeout(resolve, 10))
      after = captureBaseline()
    }
    if (!isClean()) {
      expect(after, `left behind: ${JSON.stringify(listDescendants(process.pid))}`).toEqual(before)
    }
    expect(after.listeners).toEqual(before.listeners)
  })
}
