import { useBaseline } from '@agent-terminals/testing'
import { describe, expect, it } from 'vitest'
import { buildHouse, failureOf, look, settle } from './house.js'

useBaseline()

const REQUEST = { text: 'make', submit: true }

describe('a close', () => {
  it('waits for the backend, and forgets the terminal only then', async () => {
    const { terminals, openOne } = await buildHouse()
    const { owner, id, session } = await openOne()
    const closing = terminals.close(owner, id)
    expect(await look(closing)).toEqual({ state: 'pending' })
    expect(terminals.hasOwnerActivity(owner)).toBe(true)
    expect(terminals.list(owner)).toHaveLength(1)
    session.lastClose.resolve({ killed: true })
    expect(await closing).toEqual({ killed: true })
    expect(terminals.hasOwnerActivity(owner)).toBe(false)
    expect(() => terminals.read(owner, id, {})).toThrow(expect.objectContaining({ code: 'UNKNOWN_SESSION' }))
  })

  it('is joined by a close that comes meanwhile', async () => {
    const { terminals, openOne } = await buildHouse()
    const { owner, id, session } = await openOne()
    const all = [terminals.close(owner, id), terminals.close(owner, id), terminals.observers.close(id)]
    await settle()
    expect(session.closes).toHaveLength(1)
    session.lastClose.resolve({ killed: true })
    expect(await Promise.all(all)).toEqual([{ killed: true }, { killed: true }, { killed: true }])
  })

  it('can be tried again after it failed, and the terminal stays the activity of its owner until then', async () => {
    const { terminals, openOne } = await buildHouse()
    const { owner, id, session } = await openOne()
    const first = terminals.close(owner, id)
    session.lastClose.reject(new Error('pid 5 left'))
    await expect(first).rejects.toMatchObject({ code: 'CLEANUP_FAILED', message: 'pid 5 left' })
    expect(terminals.hasOwnerActivity(owner)).toBe(true)
    expect(() => terminals.send(owner, id, REQUEST)).toThrow(expect.objectContaining({ code: 'SESSION_CLOSING' }))
    expect(terminals.read(owner, id, {}).text).toBe('kept output')
    const second = terminals.close(owner, id)
    session.lastClose.resolve({ killed: true })
    expect(await second).toEqual({ killed: true })
  })

  it('counts as failed when the backend hangs, and a late failure of that attempt does not disturb the next', async () => {
    const { terminals, openOne, clock } = await buildHouse({ closeTimeoutMs: 100 })
    const { owner, id, session } = await openOne()
    const first = terminals.close(owner, id)
    const hung = session.lastClose
    clock.advance(100)
    await expect(first).rejects.toThrow('100 ms')
    const second = terminals.close(owner, id)
    await settle()
    hung.reject(new Error('late'))
    expect(await look(second)).toEqual({ state: 'pending' })
    session.lastClose.resolve({ killed: true })
    expect(await second).toEqual({ killed: true })
  })

  it('that was given up as overdue still counts when it succeeds late and nobody has tried again', async () => {
    const { terminals, openOne, clock } = await buildHouse({ closeTimeoutMs: 100 })
    const { owner, id, session } = await openOne()
    const closing = terminals.close(owner, id)
    clock.advance(100)
    await expect(closing).rejects.toMatchObject({ code: 'CLEANUP_FAILED' })
    session.lastClose.resolve({ killed: true })
    await settle()
    expect(terminals.hasOwnerActivity(owner)).toBe(false)
  })

  it('cancels the active send first and waits for it', async () => {
    const { terminals, openOne } = await buildHouse()
    const { owner, id, session } = await openOne()
    const send = terminals.send(owner, id, REQUEST)
    const closing = terminals.close(owner, id)
    await settle()
    expect(session.lastSend.cancels).toMatchObject([{ code: 'SESSION_CLOSING' }])
    expect(session.closes).toEqual([])
    session.lastSend.settleCancelled('closing')
    await settle()
    expect(session.closes).toHaveLength(1)
    session.lastClose.resolve({ killed: true })
    expect(await closing).toEqual({ killed: true })
    expect(await send.outcome).toMatchObject({ kind: 'cancelled' })
  })

  it('goes on without a send that does not settle, and settles that send itself in the end', async () => {
    const { terminals, openOne, clock } = await buildHouse({ cancelWaitMs: 50 })
    const { owner, id, session } = await openOne()
    const send = terminals.send(owner, id, REQUEST)
    const closing = terminals.close(owner, id)
    await settle()
    clock.advance(50)
    session.lastClose.resolve({ killed: true })
    await closing
    clock.advance(0)
    expect(await send.outcome).toMatchObject({ kind: 'failed', error: { code: 'SESSION_CLOSING' } })
    expect(clock.pending).toBe(0)
  })

  it('settles a send once, although the backend tells its end after the terminal is gone', async () => {
    const { terminals, openOne, clock } = await buildHouse({ cancelWaitMs: 50 })
    const { owner, id, session } = await openOne()
    const send = terminals.send(owner, id, REQUEST)
    const closing = terminals.close(owner, id)
    await settle()
    clock.advance(50)
    session.lastClose.resolve({ killed: true })
    await closing
    clock.advance(0)
    session.lastSend.settle()
    await settle()
    expect(await send.outcome).toMatchObject({ kind: 'failed', error: { code: 'SESSION_CLOSING' } })
  })

  it.each(['send', 'signal', 'input', 'resize'] as const)('refuses %s meanwhile', async (operation) => {
    const { terminals, openOne } = await buildHouse()
    const { owner, id } = await openOne()
    void terminals.close(owner, id)
    const calls = {
      send: () => terminals.send(owner, id, REQUEST),
      signal: () => terminals.signal(owner, id, 'SIGINT'),
      input: () => terminals.observers.input(id, 'ui', 'x'),
      resize: () => terminals.observers.resize(id, { columns: 9, rows: 9 }),
    }
    expect(await failureOf(calls[operation])).toMatchObject({ code: 'SESSION_CLOSING' })
  })

  it('right after the opening reaches that terminal and no other (B037)', async () => {
    const { terminals, backend, createOwner } = await buildHouse()
    const owner = await createOwner()
    for (let round = 0; round < 50; round++) {
      const opening = terminals.spawn(owner, { type: 'scripted' })
      const session = backend.lastOpen.succeed()
      const closing = opening.then(({ sessionId }) => terminals.close(owner, sessionId))
      session.close = async () => ({ killed: true })
      expect(await closing).toEqual({ killed: true })
    }
    expect(terminals.hasOwnerActivity(owner)).toBe(false)
  })
})
