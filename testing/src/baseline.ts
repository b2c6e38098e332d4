/** Leak check for a suite: what it started must be gone when it ends. */
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { afterAll, beforeAll, expect } from 'vitest'
import { listCarriers, listDescendants, type ProcessRow } from './processes.js'

/**
 * Stands in the environment of what a suite starts, so that it is found when its parent has gone: an orphan is no longer below this
 * process.
 */
const SUITE_VARIABLE = 'BASELINE_SUITE'

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
  readonly processes: readonly ProcessRow[]
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

/** To be merged into an environment that a test writes itself instead of passing its own on. */
export function suiteEnvironment(): Record<string, string> {
  const suite = process.env[SUITE_VARIABLE]
  return suite === undefined ? {} : { [SUITE_VARIABLE]: suite }
}

/** What runs below this process, and what left it but carries the suite's name; the latter only where there is procfs. */
function listStarted(): readonly ProcessRow[] {
  const below = listDescendants(process.pid)
  const known = new Set([process.pid, ...below.map(({ pid }) => pid)])
  const [entry] = Object.entries(suiteEnvironment())
  const carriers = entry === undefined ? [] : listCarriers(entry.join('='))
  return [...below, ...carriers.filter(({ pid }) => !known.has(pid))]
}

export function captureBaseline(): Baseline {
  return {
    processes: listStarted(),
    terminals: countTerminals(),
    timers: process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length,
    listeners: Object.fromEntries(SIGNALS.map((name) => [name, process.listenerCount(name)])),
  }
}

/** So that one failure does not burden everything that runs later. */
function endAll(rows: readonly ProcessRow[]): void {
  for (const { pid } of rows) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
}

/**
 * Register hooks that compare processes, PTYs, timers and process listeners before and after the suite, and end the processes that
 * are left after they have been named. The runner's own timers come and go, so only growth that stays counts as a leak.
 */
export function useBaseline(): void {
  let outerSuite: string | undefined
  let before: Baseline
  beforeAll(() => {
    outerSuite = process.env[SUITE_VARIABLE]
    process.env[SUITE_VARIABLE] = randomUUID()
    before = captureBaseline()
  })
  afterAll(async () => {
    const known = new Set(before.processes.map(({ pid }) => pid))
    const findLeft = ({ processes }: Baseline) => processes.filter(({ pid }) => !known.has(pid))
    let after = captureBaseline()
    const isClean = () =>
      findLeft(after).length === 0 && after.terminals <= before.terminals && after.timers <= before.timers
    // A zombie is reaped, and a closed descriptor leaves the table, one turn of the loop later.
    for (let round = 0; round < 200 && !isClean(); round++) {
      await new Promise((resolve) => setTimeout(resolve, 10))
      after = captureBaseline()
    }
    if (outerSuite === undefined) delete process.env[SUITE_VARIABLE]
    else process.env[SUITE_VARIABLE] = outerSuite
    if (!isClean()) {
      const left = findLeft(after)
      endAll(left)
      expect(after, `left behind: ${JSON.stringify(left)}`).toEqual(before)
    }
    expect(after.listeners).toEqual(before.listeners)
  })
}
