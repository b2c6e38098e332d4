import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addBoundary,
  addText,
  type Boundary,
  EMPTY_QUEUE,
  fillQueue,
  type OutputQueue,
  type Stretch,
  takeStretch,
} from '../../../src/page/core/output-queue.js'

const NO_LIMIT = Number.POSITIVE_INFINITY

function takeAll(queue: OutputQueue, maxUnits: number): readonly Stretch[] {
  const taken: Stretch[] = []
  let rest = queue
  for (let next = takeStretch(rest, maxUnits); next; next = takeStretch(rest, maxUnits)) {
    taken.push(next.stretch)
    rest = next.queue
  }
  return taken
}

const boundary = fc.record({ kind: fc.constant('executed' as const), commandId: fc.string() })
const entry = fc.oneof(fc.string({ unit: 'grapheme' }), boundary)

/** Everything in its order, with texts joined. */
function flatten(entries: readonly (string | Boundary)[]): readonly (string | Boundary)[] {
  const flat: (string | Boundary)[] = []
  for (const entry of entries) {
    const last = flat.at(-1)
    if (typeof entry === 'string' && typeof last === 'string') flat[flat.length - 1] = last + entry
    else if (entry !== '') flat.push(entry)
  }
  return flat
}

describe('the output queue', () => {
  it('gives everything in its order, in pieces no larger than asked for', () => {
    fc.assert(
      fc.property(fc.array(entry), fc.integer({ min: 2, max: 8 }), (entries, maxUnits) => {
        const queue = entries.reduce<OutputQueue>(
          (held, each) => (typeof each === 'string' ? addText(held, each, NO_LIMIT) : addBoundary(held, each)),
          EMPTY_QUEUE,
        )
        const taken = takeAll(queue, maxUnits)
        for (const { text } of taken) {
          expect(text.length).toBeLessThanOrEqual(maxUnits)
          expect(text).not.toMatch(/\p{Surrogate}/u)
        }
        const given = taken.flatMap(({ text, boundary: end }) => (end === undefined ? [text] : [text, end]))
        expect(flatten(given)).toEqual(flatten(entries))
      }),
    )
  })

  it('holds no more than its bound, and then only that it was too much', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 20 })), (texts) => {
        const queue = texts.reduce<OutputQueue>((held, text) => addText(held, text, 50), EMPTY_QUEUE)
        const total = texts.join('').length
        expect(queue.kind).toBe(total > 50 ? 'overrun' : 'holding')
        if (queue.kind === 'holding') expect(queue.units).toBe(total)
      }),
    )
  })

  it('stays overrun until it is filled anew', () => {
    const overrun = addText(EMPTY_QUEUE, 'too much', 3)
    expect(addText(overrun, 'x', 3)).toBe(overrun)
    expect(addBoundary(overrun, { kind: 'cleared' })).toBe(overrun)
    expect(takeStretch(overrun, 10)).toBeUndefined()
  })

  it('is overrun by endless commands without output as well', () => {
    let queue = EMPTY_QUEUE
    for (let index = 0; index < 3_000; index++) queue = addBoundary(queue, { kind: 'executed', commandId: `${index}` })
    expect(queue.kind).toBe('overrun')
  })

  it('is filled with what is kept as if it had just come', () => {
    const command = { type: 'command', commandLine: '', timestamp: 1 } as const
    const part = fc.oneof(
      fc.string().map((value) => ({ type: 'unclassified' as const, value })),
      fc
        .record({ commandId: fc.string(), output: fc.string(), isComplete: fc.boolean() })
        .map((more) => ({ ...command, ...more })),
    )
    fc.assert(
      fc.property(fc.array(part), (content) => {
        const filled = fillQueue(content)
        const added = content.reduce<OutputQueue>((queue, each) => {
          if (each.type === 'unclassified') return addText(queue, each.value, NO_LIMIT)
          const { commandId, output, isComplete } = each
          const begun = addText(addBoundary(queue, { kind: 'executed', commandId }), output, NO_LIMIT)
          return isComplete ? addBoundary(begun, { kind: 'finished', commandId }) : begun
        }, EMPTY_QUEUE)
        expect(takeAll(filled, 100_000)).toEqual(takeAll(added, 100_000))
      }),
    )
  })

  it('is filled with any number of commands', () => {
    const content = Array.from({ length: 20_000 }, (_, index) => ({
      type: 'command' as const,
      commandId: `${index}`,
      commandLine: 'x',
      output: 'y',
      timestamp: 1,
      isComplete: true,
    }))
    expect(takeAll(fillQueue(content), 100)).toHaveLength(40_000)
  })
})
