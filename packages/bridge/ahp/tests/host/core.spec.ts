/** The host's decisions as values: properties over anything that can happen. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addOutput, type Batch, EMPTY_BATCH, flushBatch, hurryBatch } from '../../src/host/core/batch.js'
import { OutQueue, type QueuedMessage } from '../../src/host/core/out-queue.js'
import { ReplayBuffer } from '../../src/host/core/replay-buffer.js'
import { fullBucket, takeToken } from '../../src/host/core/token-bucket.js'
import {
  boundParts,
  type ContentPart,
  contentLength,
  MAX_PARTS,
  rawStream,
  trimContent,
} from '../../src/protocol/index.js'

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 })

describe('a batch', () => {
  const policy = { latencyMs: 8, maxUnits: 64 }

  it('sends everything once, in order, never later than allowed and never more than it may hold', () => {
    const event = fc.record({ text, afterMs: fc.integer({ min: 0, max: 12 }) })
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        let batch: Batch = EMPTY_BATCH
        let now = 0
        let heldSince = Number.POSITIVE_INFINITY
        let sent = ''
        const take = ({ batch: next, send }: { batch: Batch; send?: string }) => {
          batch = next
          if (send !== undefined) {
            expect(send).not.toBe('')
            expect(now - heldSince).toBeLessThanOrEqual(policy.latencyMs)
            sent += send
            heldSince = Number.POSITIVE_INFINITY
          }
          if (batch.kind === 'collecting') {
            heldSince = Math.min(heldSince, now)
            expect(batch.text.length).toBeLessThan(policy.maxUnits)
          }
        }
        for (const { text: more, afterMs } of events) {
          const until = now + afterMs
          if (batch.kind === 'collecting' && batch.dueAt <= until) {
            now = Math.max(now, batch.dueAt)
            take(flushBatch(batch, now))
          }
          now = until
          take(addOutput(batch, more, now, policy))
        }
        now = batch.kind === 'collecting' ? Math.max(now, batch.dueAt) : now
        take(flushBatch(batch, now))
        expect(sent).toBe(events.map((each) => each.text).join(''))
      }),
    )
  })

  it('does not hold back the first output after a pause', () => {
    expect(addOutput({ kind: 'empty', sentAt: 100 }, 'x', 108, policy).send).toBe('x')
    expect(addOutput({ kind: 'empty', sentAt: 100 }, 'x', 107, policy).send).toBeUndefined()
  })

  it('hurries when somebody wants less delay', () => {
    const { batch } = addOutput({ kind: 'empty', sentAt: 100 }, 'x', 101, policy)
    expect(hurryBatch(batch, 2)).toMatchObject({ dueAt: 102 })
    expect(hurryBatch(EMPTY_BATCH, 2)).toBe(EMPTY_BATCH)
  })
})

describe('the replay buffer', () => {
  it('gives all that is newer, or says that it cannot', () => {
    const limits = { maxEntries: 10, maxUnits: 2_000 }
    fc.assert(
      fc.property(fc.array(text, { maxLength: 40 }), fc.integer({ min: 0, max: 45 }), (texts, from) => {
        const buffer = new ReplayBuffer(limits)
        for (const [index, data] of texts.entries()) {
          buffer.add({ channel: 'c', serverSeq: index + 1, action: { type: 'terminal/data', data } })
          expect(buffer.count).toBeLessThanOrEqual(limits.maxEntries)
        }
        if (!buffer.reachesBackTo(from)) return
        const found = buffer.since(from, new Set(['c']), 'a').map(({ serverSeq }) => serverSeq)
        expect(found).toEqual(texts.map((_, index) => index + 1).filter((number) => number > from))
      }),
    )
  })

  it('stays within its bounds for ever', () => {
    const buffer = new ReplayBuffer({ maxEntries: 5, maxUnits: 1_000 })
    for (let number = 1; number <= 5_000; number++) {
      buffer.add({ channel: 'c', serverSeq: number, action: { type: 'terminal/data', data: 'x'.repeat(number % 500) } })
    }
    expect(buffer.count).toBeLessThanOrEqual(5)
    expect(buffer.reachesBackTo(4_999)).toBe(true)
    expect(buffer.reachesBackTo(10)).toBe(false)
  })
})

describe('the queue of a slow client', () => {
  const message = fc.oneof(
    fc.record({
      kind: fc.constant('data' as const),
      channel: fc.constantFrom('t', 'u'),
      data: text,
      serverSeq: fc.constant(0),
    }),
    text.map((each) => ({ kind: 'frame' as const, text: each })),
  )

  it('keeps the order of every channel and all its data', () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 40 }), (messages) => {
        const queue = new OutQueue()
        const numbered = messages.map((each, index) =>
          each.kind === 'data' ? { ...each, serverSeq: index + 1 } : each,
        )
        for (const each of numbered) queue.add(each)
        const units = messages.reduce((sum, each) => sum + (each.kind === 'data' ? each.data : each.text).length, 0)
        expect(queue.units).toBe(units)
        const taken: QueuedMessage[] = []
        for (let each = queue.take(); each; each = queue.take()) taken.push(each)
        const dataOf = (list: readonly QueuedMessage[], channel: string) =>
          list.map((each) => (each.kind === 'data' && each.channel === channel ? each.data : '')).join('')
        for (const channel of ['t', 'u']) expect(dataOf(taken, channel)).toBe(dataOf(numbered, channel))
        const numbers = taken.flatMap((each) => (each.kind === 'data' ? [each.serverSeq] : []))
        expect(numbers).toEqual([...numbers].sort((left, right) => left - right))
        expect(queue.units).toBe(0)
        expect(taken.length).toBeLessThanOrEqual(messages.length)
      }),
    )
  })
})

describe('a rate limit', () => {
  it('grants the burst at once, then so many per second', () => {
    const limit = { perSecond: 10, burst: 3 }
    let bucket = fullBucket(limit, 0)
    const ask = (now: number) => {
      const taken = takeToken(bucket, now, limit)
      bucket = taken.bucket
      return taken.isGranted
    }
    expect([ask(0), ask(0), ask(0), ask(0)]).toEqual([true, true, true, false])
    expect([ask(100), ask(100)]).toEqual([true, false])
    expect([ask(10_000), ask(10_000), ask(10_000), ask(10_000)]).toEqual([true, true, true, false])
  })
})

describe('trimmed content', () => {
  const part: fc.Arbitrary<ContentPart> = fc.oneof(
    text.map((value): ContentPart => ({ type: 'unclassified', value })),
    fc.tuple(text, fc.boolean()).map(
      ([output, isComplete]): ContentPart => ({
        type: 'command',
        commandId: 'c',
        commandLine: 'x',
        output,
        timestamp: 1,
        isComplete,
      }),
    ),
  )

  it('is the end of what there was, within the limit, with every command that still runs', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.integer({ min: 0, max: 120 }), (content, limit) => {
        const trimmed = trimContent(content, limit)
        expect(contentLength(trimmed)).toBeLessThanOrEqual(limit)
        expect(rawStream(content).endsWith(rawStream(trimmed))).toBe(true)
        expect(rawStream(trimmed)).not.toMatch(/^[\udc00-\udfff]/)
        const running = (list: readonly ContentPart[]) =>
          list.filter((each) => each.type === 'command' && !each.isComplete).length
        expect(running(trimmed)).toBe(running(content))
        if (contentLength(content) <= limit) expect(trimmed).toBe(content)
      }),
    )
  })

  it('is folded where there are too many parts: it keeps every character, the newest parts, and every command that still runs', () => {
    const command = (id: number, isComplete: boolean): ContentPart => ({
      type: 'command',
      commandId: `c${id}`,
      commandLine: 'x',
      output: `${id}\n`,
      timestamp: 1,
      isComplete,
    })
    const content = Array.from({ length: MAX_PARTS }, (_, id) => command(id, id !== 3))
    expect(boundParts(content)).toBe(content)
    const more = [...content, command(MAX_PARTS, true)]
    const bounded = boundParts(more)
    expect(bounded.slice(0, 3)).toMatchObject([{ type: 'unclassified' }, command(3, false), { type: 'unclassified' }])
    expect(bounded.at(-1)).toEqual(command(MAX_PARTS, true))
    expect(bounded.length).toBeLessThan(MAX_PARTS)
    expect(rawStream(bounded)).toBe(rawStream(more))
  })
})
