import { describe, expect, it } from 'vitest'
import { Config } from '../../src/config.js'
import type { Look } from '../../src/core/index.js'
import { NO_LINE } from '../../src/core/readiness/facts.js'
import type { Clock } from '../../src/session/clock.js'
import { resolveSendPolicy } from '../../src/session/ready-policy.js'
import { Watch } from '../../src/session/watch.js'

/** Time that passes only when it is told to. */
class ManualClock implements Clock {
  private time = 0
  private timers: { readonly at: number; readonly callback: () => void }[] = []

  now = () => this.time

  schedule(delayMs: number, callback: () => void): () => void {
    const timer = { at: this.time + delayMs, callback }
    this.timers.push(timer)
    return () => {
      this.timers = this.timers.filter((each) => each !== timer)
    }
  }

  get pending(): number {
    return this.timers.length
  }

  async advance(ms: number): Promise<void> {
    const until = this.time + ms
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve))
      const [next] = [...this.timers].sort((one, other) => one.at - other.at)
      if (!next || next.at > until) break
      this.time = Math.max(this.time, next.at)
      this.timers = this.timers.filter((each) => each !== next)
      next.callback()
    }
    this.time = until
  }
}

const LOOK: Look = {
  pgid: 7,
  isShell: false,
  waits: [],
  waitsKnown: false,
  pids: [7],
  cpuMs: 0,
  uninterruptible: false,
  timedSleep: false,
  stopped: false,
}

function watchOn(clock: ManualClock, options: { isLookDear?: boolean; look?: () => Promise<Look | undefined> } = {}) {
  const seen = { looks: 0, verdicts: [] as string[] }
  const watch = new Watch({
    sources: {
      clock,
      look: () => {
        seen.looks++
        return options.look?.() ?? Promise.resolve(LOOK)
      },
      attributes: async () => undefined,
      line: () => NO_LINE,
    },
    policy: resolveSendPolicy(Config.parse({}), { isLookDear: options.isLookDear ?? false }, undefined),
    start: {
      type: 'start',
      at: clock.now(),
      input: 'line',
      phase: 'running',
      alternateScreen: false,
      bracketedPaste: false,
      addressing: false,
      keypad: false,
    },
    isTraced: false,
    onReady: (verdict) => seen.verdicts.push(`${verdict.reason}/${verdict.state}`),
  })
  watch.begin()
  watch.add({ type: 'written', at: clock.now() })
  return { watch, seen }
}

describe('a watch', () => {
  it('looks seldom where a look is dear', async () => {
    const clock = new ManualClock()
    const { watch, seen } = watchOn(clock, { isLookDear: true })
    for (let i = 0; i < 10; i++) {
      await clock.advance(50)
      watch.add({ type: 'output', at: clock.now(), printed: true, redrawOnly: false })
    }
    expect(seen.looks).toBeLessThanOrEqual(6)
    watch.stop()
  })

  it('leaves no timer when it is ready, and is ready once', async () => {
    const clock = new ManualClock()
    const { watch, seen } = watchOn(clock)
    await clock.advance(10_000)
    expect(seen.verdicts).toEqual(['inferred_idle/quiet'])
    watch.add({ type: 'exit', at: clock.now() })
    expect(seen.verdicts).toHaveLength(1)
    expect(clock.pending).toBe(0)
  })

  it('ignores a look that comes after it was stopped', async () => {
    const clock = new ManualClock()
    let answer: (look: Look) => void = () => {}
    const { watch, seen } = watchOn(clock, {
      look: () =>
        new Promise((resolve) => {
          answer = resolve
        }),
    })
    watch.stop()
    answer(LOOK)
    await clock.advance(10_000)
    expect(seen).toEqual({ looks: 1, verdicts: [] })
    expect(clock.pending).toBe(0)
  })

  it('takes a look that fails for a miss', async () => {
    const clock = new ManualClock()
    const { seen } = watchOn(clock, { look: () => Promise.reject(new Error('the process has gone')) })
    await clock.advance(10_000)
    expect(seen.verdicts).toEqual(['inferred_idle/quiet'])
  })
})
