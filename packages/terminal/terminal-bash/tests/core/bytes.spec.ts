import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { joinBytes } from '../../src/core/bytes.js'

describe('joinBytes', () => {
  it('gives the bytes of all parts in their order', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 8 })), (parts) => {
        expect([...joinBytes(parts)]).toEqual(parts.flatMap((part) => [...part]))
      }),
    )
  })

  it('copies nothing when one part holds everything', () => {
    const part = Uint8Array.of(1, 2)
    expect(joinBytes([new Uint8Array(0), part, new Uint8Array(0)])).toBe(part)
  })
})
