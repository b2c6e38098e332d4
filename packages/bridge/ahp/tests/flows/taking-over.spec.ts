/** A person takes over in the middle of an agent's work, works, and hands back. Two real WebSocket clients. */
import { useBaseline, waitUntil } from '@agent-terminals/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RemoteTerminal } from '../../src/client/index.js'
import { rawStream } from '../../src/protocol/index.js'
import { ShellHouse } from '../support/shell-house.js'

useBaseline()

let house: ShellHouse
beforeAll(async () => {
  house = await ShellHouse.build()
})
afterAll(() => house.dispose())

describe('taking over', () => {
  it('goes by detaching first, holds against agent and others, and ends by handing back', async () => {
    const { terminals } = house.root
    const agent = await house.createAgent()
    const { sessionId } = await terminals.spawn(agent, { type: 'shell' })
    const uri = `ahp-terminal:/${sessionId}`
    const ada = await house.client({ clientId: 'ada' })
    const bob = await house.client({ clientId: 'bob' })
    const mine = new RemoteTerminal(ada, await ada.subscribeTerminal(uri))
    const theirs = new RemoteTerminal(bob, await bob.subscribeTerminal(uri))
    const session = mine.claim

    const send = terminals.send(agent, sessionId, {
      text: 'read -r answer; echo "[$answer]"',
      submit: true,
      toolCallId: 'k1',
      timeoutMs: 60_000,
    })
    await waitUntil('the tool call has it', () => mine.claim?.kind === 'session' && mine.claim.toolCallId === 'k1')
    expect(await mine.takeOver()).toEqual({ kind: 'rejected', reason: 'in use by a running tool call' })
    await mine.detach()
    expect((await mine.takeOver()).kind).toBe('accepted')
    expect((await send.outcome).kind).toBe('settled')
    expect(() => terminals.send(agent, sessionId, { text: 'x', submit: true })).toThrow(
      expect.objectContaining({ code: 'CLAIMED_BY_CLIENT' }),
    )
    await waitUntil('the other has heard', () => theirs.claim?.kind === 'client')
    expect(await theirs.takeOver()).toEqual({ kind: 'rejected', reason: 'claimed by another client' })
    expect((await theirs.input('x')).kind).toBe('withheld')
    expect(await theirs.input('x', { force: true })).toEqual({ kind: 'rejected', reason: 'claimed by another client' })

    await mine.input('by hand\r')
    await waitUntil('the program has it', () => rawStream(theirs.view.state?.content ?? []).includes('[by hand]\r\n'))
    if (session) expect((await mine.handOver(session)).kind).toBe('accepted')
    const next = await terminals.send(agent, sessionId, { text: 'echo agent again', submit: true }).outcome
    expect(next).toMatchObject({ kind: 'settled', result: { viewport: { text: 'agent again\n' } } })
    await waitUntil(
      'both copies are the same',
      () => JSON.stringify(mine.view.state) === JSON.stringify(theirs.view.state),
    )
    await agent.dispose()
  })
})
