import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { joinBytes } from '../../src/core/bytes.js'
import { decodeUtf8, encodeUtf8 } from '../../src/core/output/utf8.js'

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

describe('encodeUtf8', () => {
  it('writes what TextEncoder writes, halves of characters included', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'é', '漢', '😀', '\ud83d', '\ude00') }), (text) => {
        expect(encodeUtf8(text)).toEqual(new TextEncoder().encode(text))
        expect(decodeUtf8(encodeUtf8(text))).toBe(new TextDecoder().decode(encodeUtf8(text)))
      }),
    )
  })
})
