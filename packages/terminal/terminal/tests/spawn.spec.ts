import { useBaseline } from '@agent-terminals/testing'
import { describe, expect, it } from 'vitest'
import { messageOf } from '../src/failures.js'
import { TerminalBackendCleanupError } from '../src/index.js'
import { buildHouse, failureOf, look, settle } from './house.js'

useBaseline()

async function startSpawn(config: Parameters<typeof buildHouse>[0] = {}) {
  const house = await buildHouse(config)
  const owner = await house.createOwner()
  const caller = new AbortController()
  const opening = house.terminals.spawn(owner, { type: 'scripted', name: 'main', signal: caller.signal })
  opening.catch(() => {})
  return { ...house, owner, caller, opening, open: house.backend.lastOpen }
}

/** The caller's reason may be anything. */
const REASON = { why: 'the person pressed escape' }

describe('a start that is cancelled', () => {
  it('does not begin when the signal is already aborted', async () => {
    const { terminals, backend, createOwner } = await buildHouse()
    const opening = terminals.spawn(await createOwner(), { type: 'scripted', signal: AbortSignal.abort(REASON) })
    await expect(opening).rejects.toBe(REASON)
    expect(backend.opens).toEqual([])
  })

  it('tells the backend the reason and waits for it', async () => {
    const { caller, opening, open } = await startSpawn()
    caller.abort(REASON)
    expect(open.request.signal.reason).toBe(REASON)
    expect(await look(opening)).toEqual({ state: 'pending' })
    open.fail(REASON)
    await expect(opening).rejects.toBe(REASON)
  })

  it('keeps the exact reason when the backend rejects with something else', async () => {
    const { caller, opening, open, terminals, owner } = await startSpawn()
    caller.abort(REASON)
    open.fail(new Error('no foreground group yet'))
    await expect(opening).rejects.toBe(REASON)
    expect(terminals.hasOwnerActivity(owner)).toBe(false)
  })

  it('keeps the exact reason when the backend returns a terminal late, which is then closed and never published', async () => {
    const { caller, opening, open, terminals, owner, root } = await startSpawn()
    const events: string[] = []
    root.on('terminal/event', (_id, event) => void events.push(event.type))
    caller.abort(REASON)
    const session = open.succeed()
    expect(await look(opening)).toEqual({ state: 'pending' })
    expect(terminals.list(owner)).toEqual([])
    expect(terminals.hasOwnerActivity(owner)).toBe(true)
    session.lastClose.resolve({ killed: true })
    await expect(opening).rejects.toBe(REASON)
    expect(terminals.hasOwnerActivity(owner)).toBe(false)
    await settle()
    expect(events).toEqual([])
  })

  it('keeps the exact reason when the rollback fails, and keeps the failure as owner activity until a disposal reports it', async () => {
    const { caller, opening, open, terminals, owner, logged } = await startSpawn()
    caller.abort(REASON)
    const session = open.succeed()
    await settle()
    session.lastClose.reject(new Error('pid 7 is still there'))
    await expect(opening).rejects.toBe(REASON)
    expect(logged.map(messageOf)).toContain('pid 7 is still there')
    expect(terminals.hasOwnerActivity(owner)).toBe(true)
    expect(terminals.activeOwners()).toEqual([owner])
    expect(terminals.list(owner)).toEqual([])

    const release = terminals.releaseOwner(owner)
    release.catch(() => {})
    await settle()
    expect(session.closes).toHaveLength(2)
    session.lastClose.reject(new Error('pid 7 is still there'))
    const failure = await failureOf(() => release)
    expect(failure).toMatchObject({ code: 'CLEANUP_FAILED' })
    expect(failure.message).toContain('pid 7 is still there')
    expect(terminals.hasOwnerActivity(owner)).toBe(false)
  })

  it('is reported by the disposal that runs meanwhile too, when the rollback fails', async () => {
    const { caller, opening, open, terminals, owner } = await startSpawn()
    caller.abort(REASON)
    const session = open.succeed()
    await settle()
    const release = terminals.releaseOwner(owner)
    release.catch(() => {})
    session.lastClose.reject(new Error('stuck'))
    await expect(opening).rejects.toBe(REASON)
    await expect(release).rejects.toMatchObject({ code: 'CLEANUP_FAILED' })
    expect(session.closes).toHaveLength(1)
  })

  it('reports nothing when the clean-up that had failed succeeds at disposal', async () => {
    const { caller, opening, open, terminals, owner } = await startSpawn()
    caller.abort(REASON)
    const session = open.succeed()
    await settle()
    session.lastClose.reject(new Error('not yet'))
    await expect(opening).rejects.toBe(REASON)
    const release = terminals.releaseOwner(owner)
    await settle()
    session.lastClose.resolve({ killed: true })
    await expect(release).resolves.toBeUndefined()
  })

  it('answers the caller within a bound when the backend hangs, and still closes what comes late', async () => {
    const { caller, opening, open, terminals, owner, clock } = await startSpawn({ abortWaitMs: 500 })
    caller.abort(REASON)
    clock.advance(499)
    expect(await look(opening)).toEqual({ state: 'pending' })
    clock.advance(1)
    await expect(opening).rejects.toBe(REASON)
    expect(terminals.hasOwnerActivity(owner)).toBe(true)
    const session = open.succeed()
    await settle()
    session.lastClose.resolve({ killed: true })
    await settle()
    expect(terminals.hasOwnerActivity(owner)).toBe(false)
  })

  it('has no effect once the terminal is published', async () => {
    const { caller, opening, open, terminals, owner } = await startSpawn()
    const session = open.succeed()
    await opening
    caller.abort(REASON)
    await settle()
    expect(session.closes).toEqual([])
    expect(terminals.list(owner)).toHaveLength(1)
  })
})

describe('a start that fails', () => {
  it('rejects and leaves nothing', async () => {
    const { opening, open, terminals, owner } = await startSpawn()
    open.fail(new Error('no shell'))
    await expect(opening).rejects.toMatchObject({ code: 'SPAWN_FAILED' })
    expect(terminals.hasOwnerActivity(owner)).toBe(false)
    expect(terminals.activeOwners()).toEqual([])
  })

  it('rejects when the backend throws instead of returning a promise', async () => {
    const { terminals, createOwner } = await buildHouse()
    terminals.registerBackend({
      type: 'throwing',
      description: '',
      open: () => {
        throw new Error('at once')
      },
    })
    const owner = await createOwner()
    await expect(terminals.spawn(owner, { type: 'throwing' })).rejects.toMatchObject({ code: 'SPAWN_FAILED' })
    expect(terminals.hasOwnerActivity(owner)).toBe(false)
  })

  it('says so when the backend left something behind, keeps it as owner activity, and repeats the clean-up at disposal', async () => {
    const { opening, open, terminals, owner } = await startSpawn()
    const cleanups: string[] = []
    const cleanup = async () => {
      cleanups.push('again')
    }
    open.fail(new TerminalBackendCleanupError(new Error('no prompt'), new Error('pid 9 left'), cleanup))
    const failure = await failureOf(() => opening)
    expect(failure).toMatchObject({ code: 'SPAWN_FAILED' })
    expect(failure.message).toMatch(/no prompt.*pid 9 left/)
    expect(terminals.hasOwnerActivity(owner)).toBe(true)
    await terminals.releaseOwner(owner)
    expect(cleanups).toEqual(['again'])
    expect(terminals.hasOwnerActivity(owner)).toBe(false)
  })

  it('does not let a failed clean-up replace the reason of the caller', async () => {
    const { caller, opening, open, terminals, owner } = await startSpawn()
    caller.abort(REASON)
    const cleanup = () => Promise.reject(new Error('pid 9 left'))
    open.fail(new TerminalBackendCleanupError(REASON, new Error('pid 9 left'), cleanup))
    await expect(opening).rejects.toBe(REASON)
    expect(terminals.hasOwnerActivity(owner)).toBe(true)
    await expect(terminals.releaseOwner(owner)).rejects.toMatchObject({ code: 'CLEANUP_FAILED' })
  })
})

describe('a start that meets the end of its owner', () => {
  it('is aborted and awaited', async () => {
    const { opening, open, terminals, owner } = await startSpawn()
    const release = terminals.releaseOwner(owner)
    expect(open.request.signal.reason).toMatchObject({ code: 'OWNER_GONE' })
    expect(await look(release)).toEqual({ state: 'pending' })
    open.fail(open.request.signal.reason)
    await expect(opening).rejects.toMatchObject({ code: 'OWNER_GONE' })
    await release
    expect(terminals.hasOwnerActivity(owner)).toBe(false)
  })

  it('rejects both the spawn and the disposal when the rollback fails', async () => {
    const { opening, open, terminals, owner } = await startSpawn()
    const release = terminals.releaseOwner(owner)
    release.catch(() => {})
    const session = open.succeed()
    await settle()
    session.lastClose.reject(new Error('pid 7 left'))
    await expect(opening).rejects.toMatchObject({ code: 'CLEANUP_FAILED', message: 'pid 7 left' })
    await expect(release).rejects.toMatchObject({ code: 'CLEANUP_FAILED' })
  })

  it('lets the reason of a caller win who cancels as well', async () => {
    const { caller, opening, open, terminals, owner } = await startSpawn()
    const release = terminals.releaseOwner(owner)
    caller.abort(REASON)
    open.fail(new Error('aborted'))
    await expect(opening).rejects.toBe(REASON)
    await release
  })

  it('does not hang a disposal when the backend hangs: the disposal fails within the bound and says why', async () => {
    const { opening, terminals, owner, clock } = await startSpawn({ abortWaitMs: 500 })
    const release = terminals.releaseOwner(owner)
    release.catch(() => {})
    clock.advance(500)
    await expect(opening).rejects.toMatchObject({ code: 'CLEANUP_FAILED' })
    await expect(release).rejects.toThrow('500 ms')
  })
})
