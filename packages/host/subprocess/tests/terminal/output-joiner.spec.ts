import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { COMPANY_MS, FLOOD_BYTES, MAX_CHUNK_BYTES, OutputJoiner } from '../../src/terminal/output-joiner.js'

/** A joiner under a clock that stands still, with at most one timer. */
function createJoiner() {
  const chunks: Uint8Array[] = []
  let nowMs = 0
  let due: { readonly at: number; readonly callback: () => void } | undefined
  const joiner = new OutputJoiner({
    handleChunk: (chunk) => chunks.push(new Uint8Array(chunk)),
    now: () => nowMs,
    schedule(delayMs, callback) {
      due = { at: nowMs + delayMs, callback }
      return () => {
        due = undefined
      }
    },
  })
  return {
    joiner,
    chunks,
    hasTimer: () => due !== undefined,
    lengths: () => chunks.map((chunk) => chunk.byteLength),
    advance(ms: number) {
      nowMs += ms
      if (due !== undefined && due.at <= nowMs) due.callback()
    },
  }
}

const bytes = (length: number, value = 120) => new Uint8Array(length).fill(value)

describe('joining reads', () => {
  it('passes on at once what comes after quiet, and keeps no timer', () => {
    const { joiner, lengths, hasTimer, advance } = createJoiner()
    joiner.take(bytes(3))
    joiner.take(bytes(FLOOD_BYTES - 1))
    expect(lengths()).toEqual([3, FLOOD_BYTES - 1])
    advance(10)
    joiner.take(bytes(FLOOD_BYTES))
    expect(lengths()).toEqual([3, FLOOD_BYTES - 1, FLOOD_BYTES])
    expect(hasTimer()).toBe(false)
  })

  it('joins what follows a full read within a millisecond', () => {
    const { joiner, lengths, advance } = createJoiner()
    joiner.take(bytes(FLOOD_BYTES))
    joiner.take(bytes(10))
    joiner.take(bytes(20))
    expect(lengths()).toEqual([FLOOD_BYTES])
    advance(COMPANY_MS)
    expect(lengths()).toEqual([FLOOD_BYTES, 30])
  })

  it('takes a flood for over when nothing has come for two milliseconds, also while this process stood still', () => {
    const { joiner, lengths, advance } = createJoiner()
    joiner.take(bytes(FLOOD_BYTES))
    advance(3_000)
    joiner.take(bytes(1))
    expect(lengths()).toEqual([FLOOD_BYTES, 1])
  })

  it('bounds a chunk, whatever its timer does', () => {
    const { joiner, chunks, lengths } = createJoiner()
    joiner.take(bytes(FLOOD_BYTES))
    for (let read = 0; read < 100; read++) joiner.take(bytes(FLOOD_BYTES))
    expect(Math.max(...lengths())).toBe(MAX_CHUNK_BYTES)
    joiner.flush()
    expect(chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0)).toBe(101 * FLOOD_BYTES)
  })

  it('passes on what waits when it is asked to, and drops the timer', () => {
    const { joiner, lengths, hasTimer } = createJoiner()
    joiner.take(bytes(FLOOD_BYTES))
    joiner.take(bytes(5))
    expect(hasTimer()).toBe(true)
    joiner.flush()
    expect(lengths()).toEqual([FLOOD_BYTES, 5])
    expect(hasTimer()).toBe(false)
    joiner.flush()
    expect(lengths()).toHaveLength(2)
  })

  it('keeps no hold of the bytes that it was given', () => {
    const { joiner, chunks } = createJoiner()
    const borrowed = bytes(4)
    joiner.take(borrowed)
    borrowed.fill(0)
    expect([...(chunks[0] ?? [])]).toEqual([120, 120, 120, 120])
  })

  it('loses and reorders nothing, for any reads at any times', () => {
    const read = fc.record({ length: fc.integer({ min: 1, max: 9_000 }), waitMs: fc.integer({ min: 0, max: 4 }) })
    fc.assert(
      fc.property(fc.array(read, { maxLength: 60 }), (reads) => {
        const { joiner, chunks, advance } = createJoiner()
        const given: Uint8Array[] = []
        for (const [index, { length, waitMs }] of reads.entries()) {
          const part = bytes(length, index)
          given.push(Uint8Array.from(part))
          joiner.take(part)
          part.fill(255)
          advance(waitMs)
        }
        advance(COMPANY_MS)
        return Buffer.concat(chunks).equals(Buffer.concat(given))
      }),
    )
  })
})
