import { createDeferred } from '@agent-terminals/testing'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { HttpSessions } from '../../src/http/sessions.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function build(maxSessions = 8) {
  const failures: unknown[] = []
  const sessions = new HttpSessions({ idleSessionMs: 1000, maxSessions, onFailure: (error) => failures.push(error) })
  const add = (id: string) => {
    const ended = createDeferred()
    const close = vi.fn(async () => ended.resolve())
    sessions.add({ id, transport: new StreamableHTTPServerTransport(), connection: { ended: ended.promise, close } })
    return { close, ended }
  }
  return { sessions, failures, add }
}

test('a session that nobody ever used again ends after the idle time', async () => {
  const { sessions, add } = build()
  const { close } = add('a')
  await vi.advanceTimersByTimeAsync(999)
  expect(close).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(close).toHaveBeenCalledTimes(1)
  expect(sessions.size).toBe(0)
})

test('an open stream keeps it, whatever else comes and goes', async () => {
  const { sessions, add } = build()
  const { close } = add('a')
  const leaveStream = sessions.enter('a')
  sessions.enter('a')()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(close).not.toHaveBeenCalled()
  leaveStream()
  leaveStream()
  await vi.advanceTimersByTimeAsync(1000)
  expect(close).toHaveBeenCalledTimes(1)
})

test('every exchange begins the idle time anew', async () => {
  const { sessions, add } = build()
  const { close } = add('a')
  for (let round = 0; round < 5; round++) {
    await vi.advanceTimersByTimeAsync(900)
    sessions.enter('a')()
  }
  expect(close).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1000)
  expect(close).toHaveBeenCalledTimes(1)
})

test('a session that ended leaves no timer, and an exchange that ends late starts none', async () => {
  const { sessions, add } = build()
  const { ended } = add('a')
  const leave = sessions.enter('a')
  ended.resolve()
  await vi.advanceTimersByTimeAsync(0)
  leave()
  expect(vi.getTimerCount()).toBe(0)
  expect(sessions.find('a')).toBeUndefined()
  sessions.enter('a')()
  expect(vi.getTimerCount()).toBe(0)
})

test('a failed end is told once, and the session is gone', async () => {
  const { sessions, failures, add } = build()
  add('a').ended.reject(new Error('sleep 600 is left'))
  await vi.advanceTimersByTimeAsync(0)
  expect(failures).toEqual([new Error('sleep 600 is left')])
  expect(sessions.size).toBe(0)
})

test('places being opened count as taken', () => {
  const { sessions, add } = build(2)
  add('a')
  const release = sessions.reserve()
  expect(sessions.reserve()).toBeUndefined()
  release?.()
  expect(sessions.reserve()).toBeDefined()
})
