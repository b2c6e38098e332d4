import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UnreadOutput } from '../../src/core/unread.js'

const bytesOf = (text: string) => Buffer.byteLength(text)
const hasBrokenPair = (text: string) =>
  /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text)

function takeAll(unread: UnreadOutput, size = Number.MAX_SAFE_INTEGER): string {
  let all = ''
  while (unread.bytes > 0) all += unread.take(size).text
  return all
}

describe('unread output', () => {
  it('gives back everything in order, in any pieces', () => {
    const unread = new UnreadOutput(1000)
    for (const piece of ['one\n', 'two\n', '', 'three']) unread.append(piece)
    expect(unread.take(6)).toEqual({ text: 'one\ntw', droppedBytes: 0 })
    expect(unread.take(100)).toEqual({ text: 'o\nthree', droppedBytes: 0 })
    expect(unread.take(100)).toEqual({ text: '', droppedBytes: 0 })
  })

  it('lets the oldest go and counts it once', () => {
    const unread = new UnreadOutput(5)
    unread.append('abc')
    unread.append('defg')
    expect(unread.droppedBytes).toBe(2)
    expect(unread.take(100)).toEqual({ text: 'cdefg', droppedBytes: 2 })
    expect(unread.take(100).droppedBytes).toBe(0)
  })

  it('adds the final text on a line of its own and never drops it', () => {
    const unread = new UnreadOutput(4)
    unread.append('abcd')
    unread.finish('the end')
    expect(takeAll(unread)).toBe('abcd\nthe end')
    const fresh = new UnreadOutput(4)
    fresh.append('ab\n')
    fresh.finish('end')
    expect(takeAll(fresh)).toBe('ab\nend')
    const silent = new UnreadOutput(4)
    silent.finish('end')
    expect(takeAll(silent)).toBe('end')
  })

  it('waits for the second half of a pair that came in two pieces', () => {
    const unread = new UnreadOutput(100)
    unread.append('a\ud83d')
    expect(unread.take(100).text).toBe('a')
    unread.append('\udc1ab')
    expect(unread.take(100).text).toBe('🐚b')
    unread.append('\ud83d')
    unread.finish('')
    expect(unread.take(100).text).toBe('\ud83d')
  })

  it('stays within its bound, loses only from the front and splits no code point', () => {
    const piece = fc.string({ unit: fc.constantFrom('a', '\n', 'é', '語', '🐚'), maxLength: 20 })
    const action = fc.oneof(
      piece.map((text) => ({ append: text })),
      fc.integer({ min: 4, max: 60 }).map((size) => ({ take: size })),
    )
    fc.assert(
      fc.property(
        fc.array(action, { maxLength: 40 }),
        fc.integer({ min: 4, max: 120 }),
        piece,
        (actions, limit, end) => {
          const unread = new UnreadOutput(limit)
          let appended = ''
          let taken = ''
          let dropped = 0
          const take = (size: number) => {
            const increment = unread.take(size)
            expect(bytesOf(increment.text)).toBeLessThanOrEqual(size)
            taken += increment.text
            dropped += increment.droppedBytes
          }
          for (const each of actions) {
            if ('append' in each) {
              unread.append(each.append)
              appended += each.append
            } else take(each.take)
            expect(unread.bytes).toBeLessThanOrEqual(limit)
          }
          unread.finish(end)
          while (unread.bytes > 0) take(16)
          expect(hasBrokenPair(taken)).toBe(false)
          expect(taken.endsWith(end)).toBe(true)
          const separator = end !== '' && appended !== '' && !appended.endsWith('\n') ? 1 : 0
          expect(bytesOf(taken) + dropped).toBe(bytesOf(appended) + bytesOf(end) + separator)
        },
      ),
    )
  })

  it('holds a flood of tiny pieces in few chunks', () => {
    const unread = new UnreadOutput(50_000)
    for (let index = 0; index < 200_000; index++) unread.append('x')
    expect(unread.bytes).toBe(50_000)
    expect(unread.droppedBytes).toBe(150_000)
    expect(takeAll(unread, 4096)).toBe('x'.repeat(50_000))
  })
})
