import { describe, expect, it } from 'vitest'
import {
  claimOf,
  exitOf,
  heldPhaseOf,
  isSending,
  OPENING,
  OWNER_CLAIM,
  type SessionState,
} from '../../src/core/index.js'

const UNPUBLISHED = { kind: 'unpublished', stop: {}, answered: false } as const

describe('a terminal that nobody has seen', () => {
  it.each<SessionState>([
    OPENING,
    { kind: 'closing', attempt: 1, stage: 'ending', past: UNPUBLISHED },
    { kind: 'close-failed', attempt: 1, error: new Error('left'), past: UNPUBLISHED },
  ])('is the owner’s while it is $kind, without a send and without an exit', (state) => {
    expect([claimOf(state), isSending(state), exitOf(state)]).toEqual([OWNER_CLAIM, false, undefined])
  })
})

describe('a terminal that is gone', () => {
  it('is held by nobody and says nothing of its past', () => {
    const state: SessionState = { kind: 'closed', killed: true }
    expect([heldPhaseOf(state), exitOf(state), isSending(state)]).toEqual([undefined, undefined, false])
    expect(claimOf(state)).toEqual(OWNER_CLAIM)
  })
})
