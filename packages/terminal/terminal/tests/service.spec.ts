import { describe, expect, it } from 'vitest'
import { buildHouse } from './house.js'

describe('terminal sessions', () => {
  it('publishes a terminal once its backend has started it', async () => {
    const { terminals, openOne } = await buildHouse()
    const { owner, id, session } = await openOne({ name: 'main' })
    expect(terminals.list(owner)).toMatchObject([{ sessionId: id, name: 'main', status: { kind: 'running' } }])
    const send = terminals.send(owner, id, { text: 'ls', submit: true })
    session.lastSend.settle()
    expect(await send.outcome).toMatchObject({ kind: 'settled' })
    const closing = terminals.close(owner, id)
    session.lastClose.resolve({ killed: true })
    expect(await closing).toEqual({ killed: true })
    expect(terminals.hasOwnerActivity(owner)).toBe(false)
  })
})
