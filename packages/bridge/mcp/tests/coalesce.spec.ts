import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createCoalescer } from '../src/coalesce.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('fires at once, then once per interval while asked, then rests', () => {
  const fire = vi.fn()
  const coalescer = createCoalescer(100, fire)
  for (let index = 0; index < 10; index++) coalescer.request()
  expect(fire).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(100)
  expect(fire).toHaveBeenCalledTimes(2)
  vi.advanceTimersByTime(1000)
  expect(fire).toHaveBeenCalledTimes(2)
  expect(vi.getTimerCount()).toBe(0)
})

test('nothing fires after a stop', () => {
  const fire = vi.fn()
  const coalescer = createCoalescer(100, fire)
  coalescer.request()
  coalescer.request()
  coalescer.stop()
  vi.advanceTimersByTime(1000)
  coalescer.request()
  expect(fire).toHaveBeenCalledTimes(1)
  expect(vi.getTimerCount()).toBe(0)
})
