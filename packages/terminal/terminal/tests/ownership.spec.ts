import { useBaseline } from '@agent-terminals/testing'
import { type Context, Service } from '@deepseek-ai/cordis'
import { describe, expect, it } from 'vitest'
import type { TerminalOwner, TerminalSessionId, TerminalSessions } from '../src/index.js'
import { buildHouse, failureOf } from './house.js'

useBaseline()

/** Every operation an owner has, by name. */
const OPERATIONS: Readonly<
  Record<string, (terminals: TerminalSessions, owner: TerminalOwner, id: TerminalSessionId) => unknown>
> = {
  send: (terminals, owner, id) => terminals.send(owner, id, { text: 'x', submit: true }),
  read: (terminals, owner, id) => terminals.read(owner, id, {}),
  signal: (terminals, owner, id) => terminals.signal(owner, id, 'SIGINT'),
  close: (terminals, owner, id) => terminals.close(owner, id),
  get: (terminals, owner, id) => terminals.get(owner, id),
  remaining: (terminals, owner, id) => terminals.remaining(owner, id),
}

describe('ownership', () => {
  for (const [name, call] of Object.entries(OPERATIONS)) {
    it(`answers a foreign and an unknown id alike to ${name}, and does not reach the backend (B067, B100)`, async () => {
      const { terminals, createOwner, openOne } = await buildHouse()
      const { id, session } = await openOne()
      const stranger = await createOwner('agent')
      const unknownId = `term-${'0'.repeat(16)}` as TerminalSessionId
      const foreign = await failureOf(() => call(terminals, stranger, id))
      const unknown = await failureOf(() => call(terminals, stranger, unknownId))
      expect(foreign).toMatchObject({ code: 'UNKNOWN_SESSION' })
      expect(unknown).toMatchObject({ code: 'UNKNOWN_SESSION' })
      expect(foreign.message.replace(id, '?')).toBe(unknown.message.replace(unknownId, '?'))
      expect([session.sends, session.signals, session.closes]).toEqual([[], [], []])
    })
  }

  it('lists to each owner its own terminals only', async () => {
    const { terminals, openOne, createOwner } = await buildHouse()
    const first = await openOne()
    const second = await openOne()
    expect(terminals.list(first.owner).map(({ sessionId }) => sessionId)).toEqual([first.id])
    expect(terminals.list(second.owner).map(({ sessionId }) => sessionId)).toEqual([second.id])
    expect(terminals.list(await createOwner())).toEqual([])
  })

  it('takes an owner with the same id and scope but another object for a stranger', async () => {
    const { terminals, openOne } = await buildHouse()
    const { owner, id } = await openOne()
    const lookalike: TerminalOwner = { id: owner.id, ctx: owner.ctx, cwd: owner.cwd }
    expect(() => terminals.get(lookalike, id)).toThrow(expect.objectContaining({ code: 'UNKNOWN_SESSION' }))
    expect(terminals.hasOwnerActivity(lookalike)).toBe(false)
  })

  it('knows an owner again that went through a Cordis proxy, which is another object each time', async () => {
    const { root, terminals, backend } = await buildHouse()
    class AgentService extends Service {
      readonly id = 'traced'
      readonly cwd = '/work'
    }
    let original: AgentService | undefined
    await root.plugin({
      name: 'traced-agent',
      apply: (ctx: Context) => {
        original = new AgentService(ctx, 'tracedAgent')
      },
    })
    const seen: TerminalOwner[] = [root.get('tracedAgent'), root.get('tracedAgent')]
    const [first, second] = seen
    if (!first || !second || !original) throw new Error('the service is missing')
    expect(first).not.toBe(second)
    const opening = terminals.spawn(first, { type: 'scripted' })
    backend.lastOpen.succeed()
    const { sessionId } = await opening
    expect(terminals.get(second, sessionId).sessionId).toBe(sessionId)
    expect(terminals.activeOwners()).toEqual([original])
    expect(terminals.activeOwners()[0]).toBe(original)
  })

  it('gives out opaque ids that say nothing about owner, name or order', async () => {
    const { openOne } = await buildHouse()
    const ids = await Promise.all(Array.from({ length: 20 }, async () => (await openOne({ name: 'main' })).id))
    expect(new Set(ids).size).toBe(20)
    for (const id of ids) expect(id).toMatch(/^term-[0-9a-z]{16}$/)
  })

  it('keeps text that a model passes as an id bounded and printable in the answer', async () => {
    const { terminals, createOwner } = await buildHouse()
    const owner = await createOwner()
    const failure = await failureOf(() => terminals.get(owner, `\u001b[2J${'x'.repeat(5_000)}` as TerminalSessionId))
    expect(failure.message).not.toContain('\u001b')
    expect(failure.message.length).toBeLessThan(300)
  })
})
