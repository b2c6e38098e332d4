import { useBaseline } from '@agent-terminals/testing'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { InputQueue } from '../../src/terminal/input-queue.js'

useBaseline()

/** A kernel with so much room; what it took is recorded. */
function createKernel(room: number) {
  const kernel = { room, text: '', attempts: 0 }
  const take = (bytes: Uint8Array) => {
    kernel.attempts++
    const count = Math.min(bytes.byteLength, kernel.room)
    kernel.room -= count
    kernel.text += Buffer.from(bytes.subarray(0, count)).toString('latin1')
    return count
  }
  return { kernel, queue: new InputQueue(take) }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] })
})
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

describe('InputQueue', () => {
  it('hands input over at once while there is room', async () => {
    const { kernel, queue } = createKernel(100)
    await queue.write('héllo')
    expect(kernel.text).toBe(Buffer.from('héllo').toString('latin1'))
    expect(queue.pendingBytes).toBe(0)
  })

  it('keeps writes in order while the kernel refuses', async () => {
    const { kernel, queue } = createKernel(3)
    const first = queue.write('abcdef')
    const second = queue.write('ghi')
    expect(queue.pendingBytes).toBe(6)
    kernel.room = 100
    await vi.runAllTimersAsync()
    await Promise.all([first, second])
    expect(kernel.text).toBe('abcdefghi')
    expect(queue.pendingBytes).toBe(0)
  })

  it('asks less and less often, at most every 50 ms, while the kernel refuses', async () => {
    const { kernel, queue } = createKernel(0)
    const write = queue.write('x')
    await vi.advanceTimersByTimeAsync(1_063)
    // At once, after 1, 3, 7, 15, 31, 63 ms, then every 50 ms.
    expect(kernel.attempts).toBe(7 + 20)
    kernel.room = 1
    await vi.runAllTimersAsync()
    await write
  })

  it('asks often again after progress', async () => {
    const { kernel, queue } = createKernel(0)
    const write = queue.write('xy')
    await vi.advanceTimersByTimeAsync(1_000)
    const before = kernel.attempts
    kernel.room = 1
    await vi.advanceTimersByTimeAsync(50)
    expect(kernel.text).toBe('x')
    expect(kernel.attempts - before).toBeGreaterThan(3)
    kernel.room = 1
    await vi.runAllTimersAsync()
    await write
  })

  it('drops what was not taken when aborted and goes on with the next', async () => {
    const { kernel, queue } = createKernel(2)
    const abort = new AbortController()
    const reason = new Error('changed my mind')
    const first = queue.write('abcd', abort.signal)
    const second = queue.write('ef')
    abort.abort(reason)
    expect(queue.pendingBytes).toBe(2)
    await expect(first).rejects.toBe(reason)
    kernel.room = 10
    await vi.runAllTimersAsync()
    await second
    expect(kernel.text).toBe('abef')
  })

  it('leaves no timer behind when the last write is aborted', async () => {
    const { queue } = createKernel(0)
    const abort = new AbortController()
    const write = queue.write('abcd', abort.signal)
    abort.abort('stop')
    await expect(write).rejects.toBe('stop')
    expect(queue.pendingBytes).toBe(0)
  })

  it('writes nothing when aborted before', async () => {
    const { kernel, queue } = createKernel(10)
    await expect(queue.write('x', AbortSignal.abort('early'))).rejects.toBe('early')
    expect(kernel.text).toBe('')
  })

  it('fails waiting and later writes when closed', async () => {
    const { queue } = createKernel(1)
    const ended = new Error('ended')
    const waiting = queue.write('abc')
    queue.close(ended)
    queue.close(new Error('again'))
    await expect(waiting).rejects.toBe(ended)
    await expect(queue.write('d')).rejects.toBe(ended)
    expect(queue.pendingBytes).toBe(0)
  })

  it('fails only the write that the device rejects', async () => {
    const broken = new Error('EBADF')
    const queue = new InputQueue((bytes) => {
      if (bytes[0] === 0x78) throw broken
      return bytes.byteLength
    })
    await expect(queue.write('x')).rejects.toBe(broken)
    await queue.write('y')
    expect(queue.pendingBytes).toBe(0)
  })

  it('yields between pieces of large input', async () => {
    const { kernel, queue } = createKernel(10_000_000)
    const write = queue.write(Buffer.alloc(1_000_000))
    expect(kernel.attempts).toBeLessThan(10)
    await vi.runAllTimersAsync()
    await write
    expect(kernel.text.length).toBe(1_000_000)
  })

  it('settles an empty write after the ones before it', async () => {
    const { kernel, queue } = createKernel(0)
    const order: string[] = []
    const first = queue.write('a').then(() => order.push('first'))
    const empty = queue.write('').then(() => order.push('empty'))
    kernel.room = 1
    await vi.runAllTimersAsync()
    await Promise.all([first, empty])
    expect(order).toEqual(['first', 'empty'])
  })

  it('does not see later changes to the caller’s buffer', async () => {
    const { kernel, queue } = createKernel(0)
    const data = Buffer.from('good')
    const write = queue.write(data)
    data.fill('x')
    kernel.room = 10
    await vi.runAllTimersAsync()
    await write
    expect(kernel.text).toBe('good')
  })

  it('delivers exactly the writes that were not aborted, whatever the room', async () => {
    const write = fc.record({ text: fc.string({ maxLength: 40 }), isAborted: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(write, { maxLength: 8 }), fc.array(fc.nat(9)), async (writes, rooms) => {
        const { kernel, queue } = createKernel(0)
        const settled = writes.map(({ text, isAborted }) => {
          const abort = new AbortController()
          const promise = queue.write(text, abort.signal).catch(() => undefined)
          if (isAborted) abort.abort()
          return promise
        })
        for (const room of [...rooms, 1_000_000]) {
          kernel.room = room
          await vi.advanceTimersByTimeAsync(60)
        }
        await vi.runAllTimersAsync()
        await Promise.all(settled)
        // Nothing was taken before the aborts, because there was no room; empty writes settle at once.
        const wanted = writes.filter(({ isAborted }) => !isAborted).map(({ text }) => text)
        expect(kernel.text).toBe(Buffer.from(wanted.join('')).toString('latin1'))
        expect(queue.pendingBytes).toBe(0)
      }),
      { numRuns: 60 },
    )
  })
})
