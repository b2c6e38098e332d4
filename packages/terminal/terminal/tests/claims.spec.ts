import { useBaseline } from '@agent-terminals/testing'
import { describe, expect, it } from 'vitest'
import type { TerminalClaim, TerminalEvent } from '../src/index.js'
import { buildHouse, failureOf, look, settle } from './house.js'

useBaseline()

const REQUEST = { text: 'make', submit: true }
const CLIENT: TerminalClaim = { kind: 'client', clientId: 'ui' }
const OWNER: TerminalClaim = { kind: 'owner' }

async function watchClaims() {
  const house = await buildHouse()
  const opened = await house.openOne()
  const claims: TerminalClaim[] = []
  house.terminals.observers.on(opened.id, (_id, event: TerminalEvent) => {
    if (event.type === 'claimed') claims.push(event.claim)
  })
  return { ...house, ...opened, claims, observers: house.terminals.observers }
}

describe('the claim of an owner', () => {
  it('is narrowed to the tool call while a send runs and widened after it', async () => {
    const { terminals, owner, id, session, claims } = await watchClaims()
    expect(terminals.get(owner, id).claim).toEqual(OWNER)
    const send = terminals.send(owner, id, { ...REQUEST, turnId: 't1', toolCallId: 'c1' })
    expect(terminals.get(owner, id).claim).toEqual({ kind: 'owner', turnId: 't1', toolCallId: 'c1' })
    session.lastSend.settle()
    await send.outcome
    expect(terminals.get(owner, id).claim).toEqual(OWNER)
    await settle()
    expect(claims).toEqual([{ kind: 'owner', turnId: 't1', toolCallId: 'c1' }, OWNER])
  })

  it('does not change for a send that names no tool call', async () => {
    const { terminals, owner, id, session, claims } = await watchClaims()
    const send = terminals.send(owner, id, REQUEST)
    session.lastSend.settle()
    await send.outcome
    await settle()
    expect(claims).toEqual([])
  })

  it('is widened again when the backend refuses the send', async () => {
    const { terminals, owner, id, session } = await watchClaims()
    session.sendError = new Error('refused')
    await failureOf(() => terminals.send(owner, id, { ...REQUEST, toolCallId: 'c1' }))
    expect(terminals.get(owner, id).claim).toEqual(OWNER)
  })

  it('stays wide when a client widened it while the send runs, and the send goes on', async () => {
    const { terminals, owner, id, session, observers, claims } = await watchClaims()
    const send = terminals.send(owner, id, { ...REQUEST, toolCallId: 'c1' })
    observers.claim(id, OWNER)
    expect(session.lastSend.cancels).toEqual([])
    session.lastSend.settle()
    await send.outcome
    await settle()
    expect(claims).toEqual([{ kind: 'owner', toolCallId: 'c1' }, OWNER])
  })
})

describe('a terminal that a client has taken over', () => {
  it('refuses send, signal, resize and close of its owner with advice, and can still be read and listed', async () => {
    const { terminals, owner, id, session, observers } = await watchClaims()
    observers.claim(id, CLIENT)
    for (const call of [
      () => terminals.send(owner, id, REQUEST),
      () => terminals.signal(owner, id, 'SIGINT'),
      () => terminals.resize(owner, id, { columns: 9, rows: 9 }),
      () => terminals.close(owner, id),
    ]) {
      const failure = await failureOf(call)
      expect(failure).toMatchObject({ code: 'CLAIMED_BY_CLIENT' })
      expect(failure.message).toContain('handed back')
    }
    expect(terminals.read(owner, id, {}).text).toBe('kept output')
    expect(terminals.list(owner)).toMatchObject([{ claim: CLIENT }])
    expect([session.sends, session.signals, session.sizes, session.closes]).toEqual([[], [], [], []])
  })

  it('belongs to its owner again when the client hands it back', async () => {
    const { terminals, owner, id, observers, session } = await watchClaims()
    observers.claim(id, CLIENT)
    observers.claim(id, OWNER)
    terminals.send(owner, id, REQUEST)
    expect(session.sends).toHaveLength(1)
  })

  it('takes input from that client only', async () => {
    const { id, observers, session } = await watchClaims()
    await expect(observers.input(id, 'ui', 'ls')).rejects.toMatchObject({ code: 'CLAIM_REQUIRED' })
    observers.claim(id, CLIENT)
    await observers.input(id, 'ui', 'ls\r')
    await expect(observers.input(id, 'other', 'rm')).rejects.toMatchObject({ code: 'CLAIMED_BY_CLIENT' })
    observers.claim(id, { kind: 'client', clientId: 'other' })
    await expect(observers.input(id, 'ui', 'ls')).rejects.toMatchObject({ code: 'CLAIMED_BY_CLIENT' })
    expect(session.inputs).toEqual(['ls\r'])
  })

  it('takes input beside whoever holds it when the bridge says so', async () => {
    const { id, observers, session } = await watchClaims()
    await observers.input(id, 'ui', 'a', { holder: 'any' })
    observers.claim(id, CLIENT)
    await observers.input(id, 'other', 'b', { holder: 'any' })
    await expect(observers.input(id, 'other', 'c', { holder: 'client' })).rejects.toMatchObject({
      code: 'CLAIMED_BY_CLIENT',
    })
    session.exit(0)
    await expect(observers.input(id, 'other', 'd', { holder: 'any' })).rejects.toMatchObject({ code: 'SESSION_ENDED' })
    expect(session.inputs).toEqual(['a', 'b'])
  })

  it('lets the send return when its terminal is sent to the background', async () => {
    const { terminals, owner, id, observers, session } = await watchClaims()
    terminals.send(owner, id, { ...REQUEST, toolCallId: 'c1' })
    observers.claim(id, OWNER)
    expect(session.lastSend.releases).toHaveLength(1)
    expect(session.lastSend.cancels).toEqual([])
    expect(terminals.get(owner, id)).toMatchObject({ claim: OWNER, sending: true })
    observers.claim(id, OWNER)
    expect(session.lastSend.releases).toHaveLength(1)
  })

  it('lets a send that was running go on to its verdict, and its owner start no other', async () => {
    const { terminals, owner, id, observers, session } = await watchClaims()
    const send = terminals.send(owner, id, { ...REQUEST, toolCallId: 'c1' })
    observers.claim(id, CLIENT)
    expect(session.lastSend.cancels).toEqual([])
    session.lastSend.settle({ state: 'line' })
    expect(await send.outcome).toMatchObject({ result: { state: 'line' } })
    expect(terminals.get(owner, id).claim).toEqual(CLIENT)
    expect(await failureOf(() => terminals.send(owner, id, REQUEST))).toMatchObject({ code: 'CLAIMED_BY_CLIENT' })
  })

  it('announces a claim once, and nothing when the holder claims it again', async () => {
    const { id, observers, claims } = await watchClaims()
    observers.claim(id, CLIENT)
    observers.claim(id, { ...CLIENT })
    await settle()
    expect(claims).toEqual([CLIENT])
  })

  it('can be closed by its owner once it has ended', async () => {
    const { terminals, owner, id, observers, session } = await watchClaims()
    observers.claim(id, CLIENT)
    session.exit(0)
    const closing = terminals.close(owner, id)
    session.lastClose.resolve({ killed: false })
    await closing
  })

  it('passes to the client when its owner ends, and is closed by the client', async () => {
    const { terminals, owner, id, observers, session } = await watchClaims()
    observers.claim(id, CLIENT)
    await owner.dispose()
    expect(session.closes).toEqual([])
    expect(terminals.hasOwnerActivity(owner)).toBe(false)
    expect(await failureOf(() => terminals.read(owner, id, {}))).toMatchObject({ code: 'UNKNOWN_SESSION' })
    await observers.input(id, 'ui', 'ls\r')
    expect(await failureOf(() => observers.claim(id, OWNER))).toMatchObject({ code: 'OWNER_GONE' })
    observers.claim(id, { kind: 'client', clientId: 'second' })
    const closing = observers.close(id)
    session.lastClose.resolve({ killed: true })
    expect(await closing).toEqual({ killed: true })
    expect(observers.list()).toEqual([])
  })

  it('can be read after its owner and its shell have ended, and is closed after the stated time', async () => {
    const { terminals, clock, openOne } = await buildHouse({ endedRetentionMs: 1_000 })
    const { owner, id, session } = await openOne()
    terminals.observers.claim(id, CLIENT)
    await owner.dispose()
    session.exit(3)
    expect(terminals.observers.read(id, {}).text).toBe('kept output')
    clock.advance(1_000)
    session.lastClose.resolve({ killed: false })
    await settle()
    expect(terminals.observers.list()).toEqual([])
  })

  it('loses the send of an owner that ends, but stays open', async () => {
    const { owner, terminals, id, observers, session } = await watchClaims()
    const send = terminals.send(owner, id, REQUEST)
    observers.claim(id, CLIENT)
    const end = owner.dispose()
    await settle()
    expect(session.lastSend.cancels).toMatchObject([{ code: 'OWNER_GONE' }])
    expect(await look(end)).toEqual({ state: 'pending' })
    session.lastSend.settleCancelled('owner gone')
    await end
    expect(await send.outcome).toMatchObject({ kind: 'cancelled' })
    expect(session.closes).toEqual([])
    expect(observers.get(id)).toMatchObject({ claim: CLIENT, sending: false })
  })
})
