import { describe, expect, it } from 'vitest'
import type { SessionEvent } from '../src/contract.js'
import { createSessionLog } from '../src/session-log.js'

function createLog() {
  const errors: unknown[] = []
  let time = 1000
  const log = createSessionLog({ id: 's1', now: () => time++, onListenerError: (error) => errors.push(error) })
  return { log, errors }
}

const user = (text: string) => ['message/user', { text }] as const

describe('a session log', () => {
  it('numbers events from 1 without gaps and stamps them', () => {
    const { log } = createLog()
    log.append(...user('a'))
    log.append(...user('b'))
    expect(log.events).toEqual([
      { seq: 1, at: 1000, type: 'message/user', data: { text: 'a' } },
      { seq: 2, at: 1001, type: 'message/user', data: { text: 'b' } },
    ])
  })

  it('keeps data apart from the writer and frozen', () => {
    const { log } = createLog()
    const data = { text: 'before' }
    const event = log.append('message/user', data)
    data.text = 'after'
    expect(event.data.text).toBe('before')
    expect(Object.isFrozen(event) && Object.isFrozen(event.data) && Object.isFrozen(log.events)).toBe(true)
  })

  it('hands out snapshots that later events do not change', () => {
    const { log } = createLog()
    log.append(...user('a'))
    const before = log.events
    log.append(...user('b'))
    expect(before).toHaveLength(1)
    expect(log.events).toHaveLength(2)
    expect(log.events).toBe(log.events)
  })

  it('records nothing when the data is not plain JSON, and says where', () => {
    const { log } = createLog()
    const bad = { text: Number.NaN } as unknown as { text: string }
    expect(() => log.append('message/user', bad)).toThrowError(
      expect.objectContaining({ code: 'DATA_INVALID', message: expect.stringContaining('text is NaN') }),
    )
    expect(log.events).toEqual([])
  })

  it('records nothing when a guard throws, and takes no number for it', () => {
    const { log } = createLog()
    const refusal = new Error('not now')
    const release = log.guard((type) => {
      if (type === 'message/agent') throw refusal
    })
    expect(() => log.append('message/agent', { text: 'x' })).toThrow(refusal)
    log.append(...user('a'))
    release()
    log.append('message/agent', { text: 'y' })
    expect(log.events.map(({ seq, type }) => [seq, type])).toEqual([
      [1, 'message/user'],
      [2, 'message/agent'],
    ])
  })

  it('asks a guard with the data as it would be recorded', () => {
    const { log } = createLog()
    const seen: unknown[] = []
    log.guard((_type, data) => seen.push(data))
    log.append(...user('a'))
    expect(seen).toEqual([{ text: 'a' }])
    expect(Object.isFrozen(seen[0])).toBe(true)
  })

  it('tells listeners in order, also when one of them appends', () => {
    const { log } = createLog()
    const seen: SessionEvent[] = []
    log.onEvent((event) => {
      if (event.seq === 1) log.append(...user('nested'))
    })
    log.onEvent((event) => seen.push(event))
    log.append(...user('first'))
    expect(seen.map(({ seq }) => seq)).toEqual([1, 2])
  })

  it('keeps a throwing listener from the writer and from others', () => {
    const { log, errors } = createLog()
    const failure = new Error('listener')
    const seen: number[] = []
    log.onEvent(() => {
      throw failure
    })
    log.onEvent(({ seq }) => seen.push(seq))
    log.append(...user('a'))
    log.append(...user('b'))
    expect(seen).toEqual([1, 2])
    expect(errors).toEqual([failure, failure])
  })

  it('stops telling a released listener, also when it is released during the delivery', () => {
    const { log } = createLog()
    const seen: number[] = []
    log.onEvent(() => release())
    const release = log.onEvent(({ seq }) => seen.push(seq))
    log.append(...user('a'))
    expect(seen).toEqual([])
  })

  it('counts the same listener twice when it was given twice', () => {
    const { log } = createLog()
    let calls = 0
    const listen = () => calls++
    const release = log.onEvent(listen)
    log.onEvent(listen)
    release()
    release()
    log.append(...user('a'))
    expect(calls).toBe(1)
  })

  it('refuses events once sealed and stays readable', () => {
    const { log } = createLog()
    log.append(...user('a'))
    log.seal()
    expect(() => log.append(...user('b'))).toThrowError(expect.objectContaining({ code: 'DISPOSED' }))
    expect(log.events).toHaveLength(1)
  })
})
