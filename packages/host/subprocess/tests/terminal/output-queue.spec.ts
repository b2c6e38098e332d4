import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OutputQueue } from '../../src/terminal/output-queue.js'

function createQueue(maxHeldBytes = 10) {
  const calls: string[] = []
  const errors: unknown[] = []
  const queue = new OutputQueue({
    source: { pause: () => calls.push('pause'), resume: () => calls.push('resume') },
    maxHeldBytes,
    handleListenerError: (error) => errors.push(error),
  })
  return { queue, calls, errors }
}

const bytes = (text: string) => Buffer.from(text)
const microtask = () => Promise.resolve()

describe('OutputQueue', () => {
  it('keeps what comes before a listener is attached', async () => {
    const { queue } = createQueue()
    const seen: string[] = []
    queue.push(bytes('a'))
    queue.push(bytes('b'))
    const release = queue.attach((chunk) => seen.push(String(chunk)))
    expect(seen).toEqual([])
    await microtask()
    queue.push(bytes('c'))
    release()
    queue.push(bytes('d'))
    expect(seen).toEqual(['a', 'b', 'c'])
    queue.attach((chunk) => seen.push(`again ${chunk}`))
    await microtask()
    expect(seen.at(-1)).toBe('again d')
  })

  it('keeps the order when a listener pauses and resumes in the middle of a delivery', async () => {
    const { queue } = createQueue()
    const seen: string[] = []
    queue.attach((chunk) => {
      queue.pause()
      queue.resume()
      seen.push(String(chunk))
    })
    for (const text of ['a', 'b', 'c']) queue.push(bytes(text))
    await microtask()
    expect(seen).toEqual(['a', 'b', 'c'])
  })

  it('gives a listener bytes of its own, unless it borrows', async () => {
    const { queue } = createQueue()
    const source = bytes('a')
    const owned: Uint8Array[] = []
    const release = queue.attach((chunk) => owned.push(chunk))
    await microtask()
    queue.push(source)
    source.fill(0)
    expect(String(owned[0])).toBe('a')
    release()
    const borrowed: Uint8Array[] = []
    queue.attach((chunk) => borrowed.push(chunk), { borrows: true })
    await microtask()
    queue.push(source)
    expect(borrowed[0]).toBe(source)
  })

  it('copies what it keeps for a borrowing listener', async () => {
    const { queue } = createQueue()
    const seen: string[] = []
    queue.attach((chunk) => seen.push(String(chunk)), { borrows: true })
    await microtask()
    queue.pause()
    const source = bytes('a')
    queue.push(source)
    source.fill(0)
    queue.resume()
    queue.push(bytes('b'))
    expect(seen).toEqual(['a', 'b'])
  })

  it('pauses the source when too much is kept and resumes it when the listener has caught up', async () => {
    const { queue, calls } = createQueue(4)
    queue.push(bytes('abc'))
    expect(calls).toEqual([])
    queue.push(bytes('d'))
    queue.push(bytes('e'))
    expect(calls).toEqual(['pause'])
    queue.attach(() => {})
    await microtask()
    expect(calls).toEqual(['pause', 'resume'])
  })

  it('hands nothing over between pause and resume', async () => {
    const { queue, calls } = createQueue()
    const seen: string[] = []
    queue.attach((chunk) => seen.push(String(chunk)))
    await microtask()
    queue.pause()
    queue.pause()
    queue.push(bytes('in flight'))
    expect(seen).toEqual([])
    queue.resume()
    queue.resume()
    expect(seen).toEqual(['in flight'])
    expect(calls).toEqual(['pause', 'resume'])
  })

  it('obeys a pause from inside the listener', async () => {
    const { queue } = createQueue()
    const seen: string[] = []
    queue.push(bytes('a'))
    queue.push(bytes('b'))
    queue.attach((chunk) => {
      seen.push(String(chunk))
      queue.pause()
    })
    await microtask()
    expect(seen).toEqual(['a'])
    queue.resume()
    expect(seen).toEqual(['a', 'b'])
  })

  it('hands the rest over at the end although it is paused', async () => {
    const { queue } = createQueue()
    const seen: string[] = []
    queue.attach((chunk) => seen.push(String(chunk)))
    await microtask()
    queue.pause()
    queue.push(bytes('rest'))
    queue.end()
    expect(seen).toEqual(['rest'])
    queue.pause()
    queue.resume()
  })

  it('keeps the rest for a listener that comes after the end', async () => {
    const { queue } = createQueue()
    const seen: string[] = []
    queue.push(bytes('rest'))
    queue.end()
    queue.attach((chunk) => seen.push(String(chunk)))
    await microtask()
    expect(seen).toEqual(['rest'])
  })

  it('refuses a second listener', () => {
    const { queue } = createQueue()
    queue.attach(() => {})
    expect(() => queue.attach(() => {})).toThrow('listener already')
  })

  it('goes on after a listener that throws and reports it', async () => {
    const { queue, errors } = createQueue()
    const seen: string[] = []
    queue.attach((chunk) => {
      seen.push(String(chunk))
      throw new Error(`on ${chunk}`)
    })
    await microtask()
    queue.push(bytes('a'))
    queue.push(bytes('b'))
    expect(seen).toEqual(['a', 'b'])
    expect(errors.map(String)).toEqual(['Error: on a', 'Error: on b'])
  })

  it('loses and reorders nothing in any order of calls', async () => {
    const step = fc.constantFrom('push', 'pause', 'resume', 'attach', 'release', 'wait')
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { queue } = createQueue(3)
        const sent: number[] = []
        const seen: number[] = []
        let release: (() => void) | undefined
        for (const each of steps) {
          if (each === 'push') {
            sent.push(sent.length % 256)
            queue.push(Uint8Array.of((sent.length - 1) % 256))
          } else if (each === 'attach') {
            release ??= queue.attach((chunk) => seen.push(...chunk))
          } else if (each === 'release') {
            release?.()
            release = undefined
          } else if (each === 'wait') await microtask()
          else queue[each]()
        }
        release ??= queue.attach((chunk) => seen.push(...chunk))
        queue.end()
        await microtask()
        expect(seen).toEqual(sent)
      }),
    )
  })
})
