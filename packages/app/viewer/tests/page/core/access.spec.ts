import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Access, type AccessEvent, stepAccess } from '../../../src/page/core/access.js'

const signedOut: Access = { kind: 'signed-out', problem: undefined }
const play = (start: Access, ...events: readonly AccessEvent[]) => events.reduce(stepAccess, start)

describe('access', () => {
  it('goes from a link to a token', () => {
    const signingIn = play(signedOut, { type: 'link-given', link: 'a' })
    expect(signingIn).toEqual({ kind: 'signing-in', link: 'a' })
    expect(play(signingIn, { type: 'token-granted', link: 'a', token: 't' })).toEqual({ kind: 'signed-in', token: 't' })
    expect(play(signingIn, { type: 'link-refused', link: 'a', message: 'used' })).toEqual({
      kind: 'signed-out',
      problem: 'used',
    })
  })

  it('says of what cannot be read as a link only that, and keeps what it has', () => {
    const unreadable: AccessEvent = { type: 'link-unreadable', message: 'no link' }
    expect(play(signedOut, unreadable)).toEqual({ kind: 'signed-out', problem: 'no link' })
    for (const kept of [
      { kind: 'signing-in', link: 'a' },
      { kind: 'signed-in', token: 't' },
    ] as const) {
      expect(play(kept, unreadable)).toBe(kept)
    }
  })

  it('ends when the host does not know the token any more', () => {
    const refused: AccessEvent = { type: 'token-refused', token: 't', message: 'again' }
    expect(play({ kind: 'signed-in', token: 't' }, refused)).toEqual({ kind: 'signed-out', problem: 'again' })
    expect(play({ kind: 'signed-in', token: 'newer' }, refused)).toEqual({ kind: 'signed-in', token: 'newer' })
  })

  it('is decided by the newest link alone, however late older answers come', () => {
    const event = fc.oneof(
      fc.record({ type: fc.constant('token-granted' as const), link: fc.constant('old'), token: fc.string() }),
      fc.record({ type: fc.constant('link-refused' as const), link: fc.constant('old'), message: fc.string() }),
    )
    fc.assert(
      fc.property(fc.array(event), (late) => {
        const signingIn = play(signedOut, { type: 'link-given', link: 'old' }, { type: 'link-given', link: 'new' })
        expect(play(signingIn, ...late)).toBe(signingIn)
      }),
    )
  })
})
