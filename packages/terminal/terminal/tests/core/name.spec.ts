import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findNameProblem, isSameName } from '../../src/core/index.js'

describe('a display name', () => {
  it('that is accepted has no control character, whatever was tried', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (name) => {
        if (findNameProblem(name, 64) !== undefined) return
        expect(name).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]/)
        expect([...name].length).toBeLessThanOrEqual(64)
        expect(name.trim()).not.toBe('')
      }),
    )
  })

  it.each(['main', 'テスト', '👩‍💻', 'a b', 'x'.repeat(64)])('may be %j', (name) => {
    expect(findNameProblem(name, 64)).toBeUndefined()
  })

  it('is never the same as no name', () => {
    expect(isSameName(undefined, undefined)).toBe(false)
    expect(isSameName('a', undefined)).toBe(false)
  })
})
