import { utf8Length } from '@agent-terminals/text'
import type { ToolResult } from '@agent-terminals/tools/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boundStructured, finalizeResult } from '../../src/result/bound.js'

const textOf = (result: ToolResult) => result.content.map((block) => (block.type === 'text' ? block.text : '')).join('')

describe('finalizeResult', () => {
  it('leaves a result within the bound as it is', () => {
    const result: ToolResult = {
      content: [{ type: 'text', text: 'hi' }],
      structured: { text: 'hi' },
      isError: true,
      code: 'X',
    }
    expect(finalizeResult(result, 64)).toEqual(result)
  })

  it('leaves content of several blocks alone', () => {
    const content = [
      { type: 'text' as const, text: 'x'.repeat(100) },
      { type: 'json' as const, value: { deep: 'y'.repeat(100) } },
    ]
    const result = { content, structured: { text: 'z'.repeat(500) } }
    expect(finalizeResult(result, 64)).toBe(result)
  })

  it('leaves content of one data block alone', () => {
    const result: ToolResult = { content: [{ type: 'json', value: 'x'.repeat(100) }] }
    expect(finalizeResult(result, 64)).toBe(result)
  })

  it('cleans text that others have put in', () => {
    expect(textOf(finalizeResult({ content: [{ type: 'text', text: 'a\x1b[2Jb' }] }, 64))).toBe('ab')
  })

  it('bounds any single text and never splits a code point', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 500 }),
        fc.integer({ min: 64, max: 300 }),
        (text, maxBytes) => {
          const bounded = textOf(finalizeResult({ content: [{ type: 'text', text }] }, maxBytes))
          expect(utf8Length(bounded)).toBeLessThanOrEqual(maxBytes)
          expect(bounded).not.toMatch(/\p{Surrogate}/u)
        },
      ),
    )
  })
})

describe('boundStructured', () => {
  it('cuts the longest string and keeps the short ones', () => {
    const bounded = boundStructured({ sessionId: 't-1', text: 'a'.repeat(1000), notes: ['short'] }, 200)
    expect(bounded).toMatchObject({ sessionId: 't-1', notes: ['short'] })
    expect(utf8Length(JSON.stringify(bounded))).toBeLessThanOrEqual(200)
  })

  it('fits the bound as JSON as far as strings above 64 bytes can make it', () => {
    const value = fc.record({
      id: fc.string({ maxLength: 16 }),
      text: fc.string({ unit: 'binary', maxLength: 1000 }),
      list: fc.array(fc.string({ unit: 'grapheme', maxLength: 300 }), { maxLength: 4 }),
      nested: fc.record({ deep: fc.string({ maxLength: 300 }), number: fc.integer() }),
    })
    fc.assert(
      fc.property(value, fc.integer({ min: 64, max: 2000 }), (structured, maxBytes) => {
        const bounded = JSON.stringify(boundStructured(structured, maxBytes))
        const floor = 100 + 64 * (3 + structured.list.length)
        expect(utf8Length(bounded)).toBeLessThanOrEqual(Math.max(maxBytes, floor))
      }),
    )
  })
})
