import { useBaseline } from '@agent-terminals/testing'
import { describe, expect, it } from 'vitest'
import { messageOf } from '../src/failures.js'
import { TerminalCleanupError } from '../src/index.js'
import { buildHouse, failureOf, look, settle } from './house.js'
import { ScriptedBackend } from './scripted-backend.js'

useBaseline()

describe('the end of an owner', () => {
  it('closes and awaits every terminal when the scope ends', async () => {
    const { terminals, openOne } = await buildHouse()
    const { owner, session } = await openOne()
    const end = owner.dispose()
    await settle()
    expect(await look(end)).toEqual({ state: 'pending' })
    session.lastClose.resolve({ killed: true })
    await end
    expect(terminals.hasOwnerActivity(owner)).toBe(false)
    expect(terminals.observers.list()).toEqual([])
  })

  it('refuses new terminals and new sends from the first moment', async () => {
    const { terminals, openOne } = await buildHouse()
    const { owner, id } = await openOne()
    void terminals.releaseOwner(owner)
    await expect(terminals.spawn(owner, { type: 'scripted' })).rejects.toMatchObject({ code: 'OWNER_GONE' })
    expect(() => terminals.send(owner, id, { text: '', submit: false })).toThrow(
      expect.objectContaining({ code: 'SESSION_CLOSING' }),
    )
  })

  it('refuses a terminal of an owner whose scope has ended before', async () => {
    const { terminals, createOwner } = await buildHouse()
    const owner = await createOwner()
    await owner.dispose()
    await expect(terminals.spawn(owner, { type: 'scripted' })).rejects.toMatchObject({ code: 'OWNER_GONE' })
    expect(terminals.hasOwnerActivity(owner)).toBe(false)
  })

  it('reports all failures together, and closes the rest all the same', async () => {
    const { terminals, backend, openOne } = await buildHouse()
    const first = await openOne()
    const { owner } = first
    const sessions = [first.session]
    for (let count = 0; count < 2; count++) {
      const opening = terminals.spawn(owner, { type: 'scripted' })
      sessions.push(backend.lastOpen.succeed())
      await opening
    }
    const release = terminals.releaseOwner(owner)
    release.catch(() => {})
    await settle()
    sessions[0]?.lastClose.reject(new Error('pid 1 left'))
    sessions[1]?.lastClose.resolve({ killed: true })
    sessions[2]?.lastClose.reject(new Error('pid 3 left'))
    const failure = await failureOf(() => release)
    expect(failure).toBeInstanceOf(TerminalCleanupError)
    expect(failure).toMatchObject({
      code: 'CLEANUP_FAILED',
      errors: [{ message: 'pid 1 left' }, { message: 'pid 3 left' }],
    })
    expect(failure.message).toMatch(/pid 1 left\n.*pid 3 left/)
    expect(terminals.hasOwnerActivity(owner)).toBe(false)
    expect(sessions[1]?.closes).toHaveLength(1)
  })

  it('hands its failure to an owner that keeps a record, because Cordis only logs a release that throws', async () => {
    const { terminals, backend, createOwner, logged } = await buildHouse()
    const recorded: unknown[] = []
    const owner = { ...(await createOwner()), recordFailure: (error: unknown) => void recorded.push(error) }
    const opening = terminals.spawn(owner, { type: 'scripted' })
    const session = backend.lastOpen.succeed()
    await opening
    const end = owner.dispose()
    await settle()
    session.lastClose.reject(new Error('pid 1 left'))
    await end
    expect(recorded).toMatchObject([{ code: 'CLEANUP_FAILED' }])
    expect(logged).toEqual([])
  })

  it('logs its failure when the owner keeps no record', async () => {
    const { openOne, logged } = await buildHouse()
    const { owner, session } = await openOne()
    const end = owner.dispose()
    await settle()
    session.lastClose.reject(new Error('pid 1 left'))
    await end
    expect(logged.map(messageOf).join()).toContain('pid 1 left')
  })

  it('leaves what could not be ended to the service, which tries again when it ends', async () => {
    const { terminals, openOne, serviceFiber } = await buildHouse()
    const { owner, id, session } = await openOne()
    const release = terminals.releaseOwner(owner)
    release.catch(() => {})
    await settle()
    session.lastClose.reject(new Error('pid 1 left'))
    await expect(release).rejects.toMatchObject({ code: 'CLEANUP_FAILED' })
    expect(terminals.observers.get(id)).toBeDefined()
    const end = serviceFiber.dispose()
    await settle()
    expect(session.closes).toHaveLength(2)
    session.lastClose.resolve({ killed: true })
    await end
  })

  it('costs the scope of an owner one effect while it has terminals, and none afterwards', async () => {
    const { terminals, backend, createOwner } = await buildHouse()
    const owner = await createOwner()
    const countEffects = () => owner.ctx.fiber.getEffects().length
    const before = countEffects()
    const ids = []
    for (let count = 0; count < 3; count++) {
      const opening = terminals.spawn(owner, { type: 'scripted' })
      backend.lastOpen.succeed().close = async () => ({ killed: true })
      ids.push((await opening).sessionId)
      expect(countEffects()).toBe(before + 1)
    }
    for (const id of ids) await terminals.close(owner, id)
    expect(countEffects()).toBe(before)
    await owner.dispose()
  })
})

describe('the end of the service', () => {
  it('aborts starts, closes terminals of all owners, awaits them and refuses new ones', async () => {
    const { terminals, backend, openOne, createOwner, serviceFiber } = await buildHouse()
    const first = await openOne()
    const second = await openOne()
    const starting = terminals.spawn(await createOwner(), { type: 'scripted' })
    starting.catch(() => {})
    const { lastOpen } = backend
    const end = serviceFiber.dispose()
    await settle()
    expect(lastOpen.request.signal.reason).toMatchObject({ code: 'DISPOSED' })
    await expect(terminals.spawn(first.owner, { type: 'scripted' })).rejects.toMatchObject({ code: 'DISPOSED' })
    expect(await look(end)).toEqual({ state: 'pending' })
    lastOpen.fail(lastOpen.request.signal.reason)
    first.session.lastClose.resolve({ killed: true })
    second.session.lastClose.resolve({ killed: true })
    await end
    await expect(starting).rejects.toMatchObject({ code: 'DISPOSED' })
    expect(terminals.activeOwners()).toEqual([])
  })

  it('clears its registries and logs all failures even when terminals cannot be closed', async () => {
    const { terminals, openOne, serviceFiber, logged } = await buildHouse()
    const first = await openOne()
    const second = await openOne()
    const end = serviceFiber.dispose()
    await settle()
    first.session.lastClose.reject(new Error('pid 1 left'))
    second.session.lastClose.reject(new Error('pid 2 left'))
    await end
    expect(logged.map(messageOf).join()).toMatch(/pid 1 left[\s\S]*pid 2 left/)
    expect(terminals.activeOwners()).toEqual([])
    expect(terminals.observers.list()).toEqual([])
    expect(terminals.backends()).toEqual([])
    expect(first.owner.ctx.fiber.getEffects()).toEqual([])
    await first.owner.dispose()
  })

  it('closes a terminal that a person holds as well', async () => {
    const { terminals, openOne, serviceFiber } = await buildHouse()
    const { id, session } = await openOne()
    terminals.observers.claim(id, { kind: 'client', clientId: 'ui' })
    const end = serviceFiber.dispose()
    await settle()
    session.lastClose.resolve({ killed: true })
    await end
    expect(session.closes).toHaveLength(1)
  })
})

describe('a reload of a backend', () => {
  it('keeps its terminals open, and closes them through the backend that started them', async () => {
    const { root, terminals, createOwner } = await buildHouse()
    const old = new ScriptedBackend('shell')
    const plugin = await root.inject(['terminals'], (ctx) => {
      ctx.terminals.registerBackend(old)
    })
    const owner = await createOwner()
    const opening = terminals.spawn(owner, { type: 'shell' })
    const pending = terminals.spawn(owner, { type: 'shell' })
    const [firstOpen, secondOpen] = old.opens
    const session = firstOpen?.succeed()
    const { sessionId } = await opening
    await plugin.dispose()
    expect(terminals.backends().map(({ type }) => type)).toEqual(['scripted'])
    await expect(terminals.spawn(owner, { type: 'shell' })).rejects.toMatchObject({ code: 'UNKNOWN_TYPE' })

    await root.inject(['terminals'], (ctx) => {
      ctx.terminals.registerBackend(new ScriptedBackend('shell'))
    })
    secondOpen?.succeed()
    await pending
    expect(terminals.list(owner)).toHaveLength(2)
    expect(() => terminals.send(owner, sessionId, { text: 'x', submit: true })).not.toThrow()
    expect(session?.sends).toHaveLength(1)
  })

  it('refuses two backends of one type', async () => {
    const { terminals } = await buildHouse()
    expect(() => terminals.registerBackend(new ScriptedBackend())).toThrow(
      expect.objectContaining({ code: 'TYPE_TAKEN' }),
    )
  })

  it('does not withdraw a successor with an old release', async () => {
    const { terminals } = await buildHouse()
    const release = terminals.registerBackend(new ScriptedBackend('shell'))
    release()
    terminals.registerBackend(new ScriptedBackend('shell'))
    release()
    expect(terminals.backends().map(({ type }) => type)).toEqual(['scripted', 'shell'])
  })
})
