import { createDeferred } from '@agent-terminals/testing'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createProgressReporter } from '../../src/connection/progress.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const limits = { progressIntervalMs: 100, progressMessageBytes: 1000, progressTotalBytes: 10_000, heartbeatMs: 5000 }

function build(config: Partial<typeof limits> = {}, send: () => Promise<void> = async () => undefined) {
  const sent: [number, string][] = []
  const reporter = createProgressReporter({
    config: { ...limits, ...config },
    now: () => Date.now(),
    send(progress, message) {
      sent.push([progress, message])
      return send()
    },
  })
  const messages = () => sent.map(([, message]) => message)
  return { reporter, sent, messages }
}

test('the first output goes out at once, what follows is merged', async () => {
  const { reporter, messages } = build()
  reporter.output('a')
  reporter.output('b')
  reporter.output('c')
  expect(messages()).toEqual(['a'])
  await vi.advanceTimersByTimeAsync(100)
  expect(messages()).toEqual(['a', 'bc'])
  await vi.advanceTimersByTimeAsync(100)
  reporter.output('d')
  expect(messages()).toEqual(['a', 'bc', 'd'])
  reporter.stop()
})

test('progress always grows, also within a millisecond', () => {
  const { reporter, sent } = build({ progressIntervalMs: 0 })
  reporter.output('a')
  vi.advanceTimersByTime(0)
  reporter.output('b')
  reporter.finish()
  const values = sent.map(([progress]) => progress)
  expect(values).toEqual([...new Set(values)].sort((a, b) => a - b))
})

test('what is pending goes out before the result, and nothing after', async () => {
  const { reporter, messages } = build()
  reporter.output('a')
  reporter.output('b')
  reporter.finish()
  reporter.output('c')
  reporter.finish()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(messages()).toEqual(['a', 'b'])
  expect(vi.getTimerCount()).toBe(0)
})

test('silence is told at intervals', async () => {
  const { reporter, messages } = build()
  await vi.advanceTimersByTimeAsync(5000)
  reporter.output('a')
  await vi.advanceTimersByTimeAsync(5200)
  expect(messages()).toEqual(['[running for 5 s, no output for 5 s]', 'a', '[running for 10 s, no output for 5 s]'])
  reporter.stop()
})

test('a heartbeat of 0 stays silent', async () => {
  const { reporter, messages } = build({ heartbeatMs: 0 })
  await vi.advanceTimersByTimeAsync(600_000)
  reporter.output('a')
  await vi.advanceTimersByTimeAsync(600_000)
  expect(messages()).toEqual(['a'])
  expect(vi.getTimerCount()).toBe(0)
  reporter.stop()
})

test('a client that does not read gets one message at a time, with the newest output', async () => {
  const blocked = createDeferred()
  const { reporter, messages } = build({ progressMessageBytes: 300 }, () => blocked.promise)
  reporter.output('first')
  for (let index = 0; index < 1000; index++) {
    reporter.output(`line ${index}\n`)
    await vi.advanceTimersByTimeAsync(10)
  }
  expect(messages()).toEqual(['first'])
  blocked.resolve()
  await vi.advanceTimersByTimeAsync(100)
  expect(messages()).toHaveLength(2)
  expect(messages()[1]).toMatch(/^\[\d+ bytes not shown\]\n(?:line \d+\n|\d*\n)+line 999\n$/)
  reporter.stop()
})

test('after the total bound only signs of life follow', async () => {
  const { reporter, messages } = build({ progressTotalBytes: 500 })
  for (let index = 0; index < 10; index++) {
    reporter.output('x'.repeat(200))
    await vi.advanceTimersByTimeAsync(200)
  }
  expect(messages()).toHaveLength(3)
  expect(messages()[2]).toMatch(/x\n\[what follows is not shown here\]$/)
  await vi.advanceTimersByTimeAsync(5000)
  expect(messages()[3]).toMatch(/^\[running for/)
  reporter.stop()
})

test('a transport that fails does not disturb the call', async () => {
  const { reporter, messages } = build({}, () => Promise.reject(new Error('closed')))
  reporter.output('a')
  await vi.advanceTimersByTimeAsync(100)
  reporter.output('b')
  reporter.finish()
  expect(messages()).toEqual(['a', 'b'])
})
