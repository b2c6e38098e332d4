import { describe, expect, it } from 'vitest'
import { buildHouse, settle } from './house.js'

describe('what an owner’s terminals hold', () => {
  it('is nothing at first, and nothing of others', async () => {
    const { terminals, createOwner, openOne } = await buildHouse()
    await openOne()
    expect(terminals.listHeld(await createOwner('other'))).toEqual([])
  })

  it('follows a terminal from the call that opens it to its end', async () => {
    const { terminals, backend, createOwner } = await buildHouse()
    const owner = await createOwner()
    const phases = () => terminals.listHeld(owner).map(({ name, phase }) => [name, phase])
    const opening = terminals.spawn(owner, { type: 'scripted', name: 'build' })
    expect(phases()).toEqual([['build', 'opening']])
    const session = backend.lastOpen.succeed()
    const { sessionId } = await opening
    expect(terminals.listHeld(owner)).toEqual([{ sessionId, name: 'build', phase: 'running' }])
    const closing = terminals.close(owner, sessionId)
    expect(phases()).toEqual([['build', 'closing']])
    session.lastClose.reject(new Error('something is left'))
    await expect(closing).rejects.toThrow()
    expect(phases()).toEqual([['build', 'close-failed']])
    const again = terminals.close(owner, sessionId)
    session.lastClose.resolve({ killed: true })
    await again
    expect(phases()).toEqual([])
  })

  it('leaves out a terminal whose shell has ended', async () => {
    const { terminals, openOne } = await buildHouse()
    const { owner, session } = await openOne()
    session.exit(0)
    expect(terminals.listHeld(owner)).toEqual([])
    expect(terminals.list(owner)).toHaveLength(1)
  })

  it('includes the clean-up of a start that was given up', async () => {
    const { terminals, backend, createOwner } = await buildHouse()
    const owner = await createOwner()
    const abort = new AbortController()
    const opening = terminals.spawn(owner, { type: 'scripted', signal: abort.signal })
    opening.catch(() => {})
    abort.abort('enough')
    await settle()
    expect(terminals.listHeld(owner)).toMatchObject([{ phase: 'opening' }])
    const session = backend.lastOpen.succeed()
    await settle()
    expect(terminals.listHeld(owner)).toMatchObject([{ phase: 'opening' }])
    session.lastClose.resolve({ killed: true })
    await settle()
    expect(terminals.listHeld(owner)).toEqual([])
  })
})

describe('whether a terminal takes a secret', () => {
  it('is no where the backend cannot know', async () => {
    const { terminals, openOne } = await buildHouse()
    const { owner, id } = await openOne()
    expect(await terminals.takesSecret(owner, id)).toBe(false)
  })

  it('is the backend’s to say while the terminal runs, to its owner alone', async () => {
    const { terminals, openOne, createOwner } = await buildHouse()
    const { owner, id, session } = await openOne()
    Object.assign(session, { takesSecret: async () => true })
    expect(await terminals.takesSecret(owner, id)).toBe(true)
    await expect(terminals.takesSecret(await createOwner('other'), id)).rejects.toMatchObject({
      code: 'UNKNOWN_SESSION',
    })
    session.exit(0)
    expect(await terminals.takesSecret(owner, id)).toBe(false)
  })
})
