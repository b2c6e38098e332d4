import * as agents from '@agent-terminals/agents'
import { useBaseline } from '@agent-terminals/testing'
import { describe, expect, it } from 'vitest'
import { buildHouse, failureOf, settle } from './house.js'

useBaseline()

async function openForAgent() {
  const house = await buildHouse()
  await house.root.plugin(agents, {})
  const agent = await house.root.agents.create({ cwd: '/' })
  const opening = house.terminals.spawn(agent, { type: 'scripted' })
  const session = house.backend.lastOpen.succeed()
  const { sessionId } = await opening
  return { ...house, agent, session, sessionId }
}

describe('an agent of ctx.agents as an owner', () => {
  it('is the same owner however it is obtained', async () => {
    const { root, terminals, agent, sessionId } = await openForAgent()
    const found = root.agents.get(agent.id)
    const [listed] = root.agents.list()
    if (!found || !listed) throw new Error('the agent is missing')
    expect(terminals.get(found, sessionId).sessionId).toBe(sessionId)
    expect(terminals.get(listed, sessionId).sessionId).toBe(sessionId)
    expect(terminals.activeOwners()[0]).toBe(agent)
  })

  it('ends only when its terminals have been closed', async () => {
    const { terminals, agent, session } = await openForAgent()
    const end = agent.dispose()
    await settle()
    expect(session.closes).toHaveLength(1)
    session.lastClose.resolve({ killed: true })
    await end
    expect(terminals.hasOwnerActivity(agent)).toBe(false)
  })

  it('reports a terminal that could not be closed to whoever disposes it', async () => {
    const { agent, session } = await openForAgent()
    const end = agent.dispose()
    end.catch(() => {})
    await settle()
    session.lastClose.reject(new Error('pid 5 left'))
    const failure = await failureOf(() => end)
    expect(failure).toMatchObject({ code: 'CLEANUP_FAILED', errors: [{ code: 'CLEANUP_FAILED' }] })
    expect(failure.message).toContain('pid 5 left')
  })
})
