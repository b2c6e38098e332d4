import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createDeferred, useBaseline } from '@agent-terminals/testing'
import { expect, test } from 'vitest'
import { systemClock } from '../../src/session/clock.js'

useBaseline()

/** Keep this process from doing anything, as a starved machine does. */
function stall(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

test('what has arrived during a stall is heard before a timer that became due in it', async () => {
  for (let round = 0; round < 5; round++) {
    const order: string[] = []
    const due = createDeferred()
    const child = spawn('cat', { stdio: ['pipe', 'pipe', 'ignore'] })
    child.stdout.once('data', () => order.push('output'))
    const closed = once(child, 'close')
    await once(child, 'spawn')
    systemClock.schedule(20, () => {
      order.push('timer')
      due.resolve()
    })
    child.stdin.end('x')
    // The write leaves in this turn of the loop; the answer of `cat` arrives while nothing is read.
    await new Promise((resolve) => setImmediate(resolve))
    stall(150)
    await due.promise
    await closed
    expect(order).toEqual(['output', 'timer'])
  }
})

test.each([0, 5])('a released callback does not run (delay %i ms)', async (delayMs) => {
  let hasRun = false
  const release = systemClock.schedule(delayMs, () => {
    hasRun = true
  })
  release()
  const later = createDeferred()
  systemClock.schedule(20, later.resolve)
  await later.promise
  expect(hasRun).toBe(false)
})
