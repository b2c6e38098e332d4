/** Sheet §19.9: claims and conflicts. The gate is `client` unless a case says otherwise. */
import { describe, expect, it } from 'vitest'
import { RemoteTerminal } from '../../src/client/index.js'
import { createMemoryPair } from '../../src/protocol/index.js'
import { openClient } from '../support/clients.js'
import { codeOf, type House, ROOT, settle, T, Wire } from '../support/house.js'
import { useHouse } from '../support/use-house.js'

const at = useHouse()
const client = (clientId: string) => ({ kind: 'client', clientId })
const session = { kind: 'session', session: 'ahp-session:/s', chat: 'ahp-chat:/c' }
const claimed = (claim: unknown) => ({ type: 'terminal/claimed', claim })
const input = (data: string) => ({ type: 'terminal/input', data })
const BY_OTHER = { rejectionReason: 'claimed by another client' }
const IN_CALL = { rejectionReason: 'in use by a running tool call' }

async function withTwo(house: House = at.house, principal?: string) {
  const { a, session: shell } = await house.withT()
  const b = await house.connect({ clientId: 'b', subscriptions: [ROOT], ...(principal ? { principal } : {}) })
  await house.subscribe(b)
  return { a, b, shell }
}

/** An agent's terminal while a tool call uses it, and two clients that follow it. */
async function inToolCall(house: House = at.house) {
  const a = await house.connect({ subscriptions: [ROOT] })
  const b = await house.connect({ clientId: 'b', subscriptions: [ROOT] })
  const terminal = await house.agentTerminal()
  await house.subscribe(a, terminal.uri)
  await house.subscribe(b, terminal.uri)
  const settleSend = await house.sendFrom(terminal)
  return { a, b, ...terminal, settleSend }
}

const accepted = (envelopes: readonly object[]) => {
  expect(envelopes[0]).not.toHaveProperty('rejectionReason')
  expect(envelopes.length).toBeGreaterThan(0)
}
const listOf = (wire: Wire) => wire.envelopes(ROOT).at(-1)?.action

describe('claims', () => {
  it('CL-1 a holder may transfer to another, who may type then', async () => {
    const { a, b, shell } = await withTwo()
    accepted(await a.act(T, claimed(client('b'))))
    expect((await at.house.stateOf()).claim).toEqual(client('b'))
    expect(listOf(a)).toMatchObject({ terminals: [{ claim: client('b') }] })
    accepted(await b.act(T, input('x')))
    expect(shell.inputs).toEqual(['x'])
  })

  it('CL-2 nobody may take what another client holds', async () => {
    const { a, b } = await withTwo()
    const lists = a.envelopes(ROOT).length
    expect((await b.act(T, claimed(client('b'))))[0]).toMatchObject(BY_OTHER)
    expect((await at.house.stateOf()).claim).toEqual(client('a'))
    expect(a.envelopes(ROOT)).toHaveLength(lists)
  })

  it('CL-3 of two that claim a free terminal at once exactly one gets it, and both know', async () => {
    const { a, b } = await withTwo()
    await a.act(T, claimed(session))
    a.dispatch(T, claimed(client('a')))
    b.dispatch(T, claimed(client('b')))
    await settle()
    const last = (wire: Wire) =>
      wire
        .envelopes(T)
        .filter(({ rejectionReason }) => rejectionReason === undefined)
        .at(-1)
    expect(a.envelopes(T).filter(({ rejectionReason }) => rejectionReason !== undefined)).toHaveLength(0)
    expect(b.envelopes(T).filter(({ rejectionReason }) => rejectionReason !== undefined)).toHaveLength(1)
    expect([last(a)?.action, last(b)?.action]).toEqual([claimed(client('a')), claimed(client('a'))])
  })

  it('CL-4 what is given to a session carries all its fields, in state and list', async () => {
    const { a } = await withTwo()
    const whole = { ...session, turnId: 't1', toolCallId: 'k1' }
    accepted(await a.act(T, claimed(whole)))
    expect((await at.house.stateOf()).claim).toEqual(whole)
    expect(listOf(a)).toMatchObject({ terminals: [{ claim: whole }] })
  })

  it('CL-5 a client may take what a session has in the background', async () => {
    const { a } = await withTwo()
    await a.act(T, claimed(session))
    accepted(await a.act(T, claimed(client('a'))))
    expect((await at.house.stateOf()).claim).toEqual(client('a'))
  })

  it('CL-6 a client may detach a terminal from a running tool call', async () => {
    const { a, b, uri, claim, settleSend } = await inToolCall()
    expect((await at.house.stateOf(uri)).claim).toEqual({ ...claim, turnId: 'turn-1', toolCallId: 'call-1' })
    accepted(await b.act(uri, claimed(claim)))
    expect((await at.house.stateOf(uri)).claim).toEqual(claim)
    expect(listOf(a)).toMatchObject({ terminals: [{ resource: uri, claim }] })
    await settleSend()
    expect((await at.house.stateOf(uri)).claim).toEqual(claim)
  })

  it('CL-7 but not take it over directly', async () => {
    const { b, uri } = await inToolCall()
    expect((await b.act(uri, claimed(client('b'))))[0]).toMatchObject(IN_CALL)
    expect((await b.act(uri, input('x')))[0]).toMatchObject(IN_CALL)
    expect((await b.act(uri, claimed(session)))[0]).toHaveProperty('rejectionReason')
    accepted(await b.act(uri, { type: 'terminal/resized', cols: 90, rows: 20 }))
  })

  it('CL-8 others neither type, resize nor clear, and nobody notices', async () => {
    const { a, b, shell } = await withTwo()
    shell.print('text')
    await settle()
    const before = await at.house.stateOf()
    const seen = a.output(T)
    for (const action of [input('x'), { type: 'terminal/resized', cols: 9, rows: 9 }, { type: 'terminal/cleared' }]) {
      expect((await b.act(T, action))[0]).toMatchObject(BY_OTHER)
    }
    expect([shell.inputs, shell.sizes]).toEqual([[], []])
    expect(await at.house.stateOf()).toEqual(before)
    expect(a.output(T)).toBe(seen)
  })

  it('CL-9 anyone may change the title', async () => {
    const { b } = await withTwo()
    accepted(await b.act(T, { type: 'terminal/titleChanged', title: 'by b' }))
    expect((await at.house.stateOf()).title).toBe('by b')
  })

  it('CL-10 re-stating one’s own claim is accepted and echoed', async () => {
    const { a } = await withTwo()
    const [echo] = await a.act(T, claimed(client('a')))
    expect(echo).toMatchObject({ action: claimed(client('a')), origin: { clientId: 'a' } })
    expect(echo).not.toHaveProperty('rejectionReason')
  })

  it('CL-11 a session claim without chat is malformed, unless it narrows that session’s own', async () => {
    const { a } = await withTwo()
    const chatless = { kind: 'session', session: 'ahp-session:/s' }
    expect((await a.act(T, claimed(chatless)))[0]).toMatchObject({ rejectionReason: 'invalid payload' })
    const { b, uri, claim } = await inToolCall()
    const { chat: _chat, ...withoutChat } = claim
    const [echo] = await b.act(uri, claimed(withoutChat))
    expect(echo).toMatchObject({ action: claimed(claim) })
    expect(echo).not.toHaveProperty('rejectionReason')
    expect((await at.house.stateOf(uri)).claim).toEqual(claim)
  })

  it('CL-11a a clientId that is no string is refused and never made one', async () => {
    const { a } = await withTwo()
    expect((await a.act(T, claimed({ kind: 'client', clientId: 7 })))[0]).toMatchObject({
      rejectionReason: 'invalid payload',
    })
    const params = { channel: 'ahp-terminal:/n', claim: { kind: 'client', clientId: 7 } }
    expect(await codeOf(a.request('createTerminal', params))).toBe(-32602)
  })

  it('CL-11b a client does not apply another client’s refused actions', async () => {
    const { wire, view, client: mine } = await fakeHostFor('a')
    const before = view.state
    const refused = [
      claimed(client('b')),
      { type: 'terminal/titleChanged', title: 'b' },
      { type: 'terminal/resized', cols: 1, rows: 1 },
      { type: 'terminal/cleared' },
    ]
    for (const [index, action] of refused.entries()) {
      wire.notify('action', {
        channel: T,
        serverSeq: 6 + index,
        action,
        origin: { clientId: 'b', clientSeq: index + 1 },
        rejectionReason: 'claimed by another client',
      })
    }
    await settle()
    expect(view.state).toBe(before)
    mine.close()
    await settle()
  })

  it('CL-11c a client holds a terminal only once the host has said so', async () => {
    const { wire, view, client: mine } = await fakeHostFor('me')
    const terminal = new RemoteTerminal(mine, view)
    expect(await terminal.input('x')).toEqual({ kind: 'withheld', reason: 'claimed by another client' })
    const taking = terminal.takeOver()
    await settle()
    expect(terminal.isHeld).toBe(false)
    expect((await terminal.input('x')).kind).toBe('withheld')
    const origin = { clientId: 'me', clientSeq: 1 }
    wire.notify('action', { channel: T, serverSeq: 6, action: claimed(client('me')), origin })
    expect(await taking).toEqual({ kind: 'accepted', serverSeq: 6 })
    expect(terminal.isHeld).toBe(true)
    mine.close()
    await settle()
  })

  it('CL-12 gate open lets everything pass', async () => {
    const house = await at.rebuild({ gate: 'open' })
    const { b, shell } = await withTwo(house, 'other')
    accepted(await b.act(T, input('x')))
    accepted(await b.act(T, { type: 'terminal/resized', cols: 9, rows: 9 }))
    accepted(await b.act(T, { type: 'terminal/cleared' }))
    accepted(await b.act(T, claimed(client('b'))))
    expect(shell.inputs).toEqual(['x'])
    const call = await inToolCall(await at.rebuild({ gate: 'open' }))
    accepted(await call.b.act(call.uri, claimed(client('b'))))
  })

  it('CL-12 gate principal lets the same person type, and never take the claim', async () => {
    const same = await at.rebuild({ gate: 'principal' })
    const mine = await withTwo(same)
    accepted(await mine.b.act(T, input('x')))
    accepted(await mine.b.act(T, { type: 'terminal/cleared' }))
    expect((await mine.b.act(T, claimed(client('b'))))[0]).toMatchObject(BY_OTHER)
    const other = await at.rebuild({ gate: 'principal' })
    const foreign = await withTwo(other, 'somebody else')
    expect((await foreign.b.act(T, input('x')))[0]).toMatchObject(BY_OTHER)
    expect((await foreign.b.act(T, claimed(client('b'))))[0]).toMatchObject(BY_OTHER)
    expect(foreign.shell.inputs).toEqual([])
  })

  it('CL-13 what a vanished client holds becomes free after the grace time', async () => {
    const { a, b } = await withTwo()
    a.close()
    await at.house.pass(59_999)
    expect((await b.act(T, claimed(client('b'))))[0]).toMatchObject(BY_OTHER)
    await at.house.pass(1)
    accepted(await b.act(T, claimed(client('b'))))
    // Who has never been here is counted from the hand-over on.
    accepted(await b.act(T, claimed(client('never'))))
    expect((await b.act(T, claimed(client('b'))))[0]).toMatchObject(BY_OTHER)
    await at.house.pass(60_000)
    accepted(await b.act(T, claimed(client('b'))))
  })

  it('CL-14 a transfer leaves size, directory, content and process as they were', async () => {
    const { a, shell } = await withTwo()
    shell.print('kept')
    await settle()
    const { claim: _before, ...before } = await at.house.stateOf()
    await a.act(T, claimed(client('b')))
    const { claim: _after, ...after } = await at.house.stateOf()
    expect(after).toEqual(before)
    expect(shell.closes).toBe(0)
  })

  it('CL-15 no terminal is ever without a claim', async () => {
    const { a, b } = await withTwo()
    await a.act(T, claimed(session))
    await b.act(T, claimed(client('b')))
    const terminal = await at.house.agentTerminal()
    await (await at.house.sendFrom(terminal))()
    await terminal.agent.dispose()
    await settle()
    for (const { action } of [...a.envelopes(ROOT), ...b.envelopes(ROOT)]) {
      if (action.type !== 'root/terminalsChanged') continue
      for (const { claim } of action.terminals) expect(claim.kind).toMatch(/^(client|session)$/)
    }
    expect((await at.house.stateOf()).claim).toEqual(client('b'))
  })

  it('CL-16 another principal gets neither a connection nor a claim under a client’s id', async () => {
    await withTwo()
    const mallory = at.house.fresh('mallory')
    const hello = { channel: ROOT, protocolVersions: ['1.0.0'], clientId: 'a' }
    expect(await codeOf(mallory.request('initialize', hello))).toBe(-32009)
    mallory.dispatch(T, claimed(client('mallory')))
    await settle()
    expect((await at.house.stateOf()).claim).toEqual(client('a'))
  })
})

describe('an agent and its terminal', () => {
  it('narrows its claim to the tool call while it sends, and widens it after', async () => {
    const { a, uri, claim, settleSend } = await inToolCall()
    expect((await at.house.stateOf(uri)).claim).toMatchObject({ turnId: 'turn-1', toolCallId: 'call-1' })
    await settleSend()
    expect((await at.house.stateOf(uri)).claim).toEqual(claim)
    const claims = a.envelopes(uri).flatMap(({ action }) => (action.type === 'terminal/claimed' ? [action.claim] : []))
    expect(claims).toEqual([{ ...claim, turnId: 'turn-1', toolCallId: 'call-1' }, claim])
    expect(a.envelopes(uri)[0]).not.toHaveProperty('origin')
  })

  it('is told so when a client has taken over, until it is handed back', async () => {
    const { a, agent, sessionId, uri, claim, settleSend } = await inToolCall()
    await settleSend()
    accepted(await a.act(uri, claimed(client('a'))))
    const request = { text: 'ls', submit: true }
    expect(() => at.house.root.terminals.send(agent, sessionId, request)).toThrow(
      expect.objectContaining({ code: 'CLAIMED_BY_CLIENT' }),
    )
    accepted(await a.act(uri, claimed(claim)))
    expect(at.house.root.terminals.send(agent, sessionId, request)).toBeDefined()
  })

  it('leaves to the client what the client holds when it ends', async () => {
    const { a, agent, uri, claim, session: shell, settleSend } = await inToolCall()
    await settleSend()
    await a.act(uri, claimed(client('a')))
    await agent.dispose()
    await settle()
    expect(shell.closes).toBe(0)
    accepted(await a.act(uri, input('still here')))
    expect(shell.inputs).toEqual(['still here'])
    expect((await a.act(uri, claimed(claim)))[0]).toMatchObject({ rejectionReason: 'the session has ended' })
  })

  it('may be typed into during a tool call where input is shared', async () => {
    const { b, uri, session: shell } = await inToolCall(await at.rebuild({ sharedInput: true }))
    accepted(await b.act(uri, input('y')))
    expect((await b.act(uri, claimed(client('b'))))[0]).toMatchObject(IN_CALL)
    expect(shell.inputs).toEqual(['y'])
  })

  it('lets its send return when a client sends the terminal to the background', async () => {
    const { b, uri, claim, session: shell } = await inToolCall()
    expect(shell.sends[0]?.releases).toEqual([])
    await b.act(uri, claimed(claim))
    expect(shell.sends[0]?.releases).toEqual([expect.stringContaining('background')])
  })

  it('may not be given to any session where sessions are refused', async () => {
    const { a } = await withTwo(await at.rebuild({ foreignSessions: 'refused' }))
    expect((await a.act(T, claimed(session)))[0]).toMatchObject({ rejectionReason: 'invalid payload' })
  })

  it('cannot be given to a session that is not its own', async () => {
    const { a, uri, settleSend } = await inToolCall()
    await settleSend()
    await a.act(uri, claimed(client('a')))
    expect((await a.act(uri, claimed(session)))[0]).toMatchObject({ rejectionReason: 'invalid payload' })
  })

  it('is shown to a host that starts after it, with what it printed', async () => {
    const { agent, session: shell } = await at.house.agentTerminal()
    shell.scrollback = 'one\ntwo'
    const { AhpHost, Config } = await import('../../src/host/index.js')
    const late = new AhpHost(at.house.root, Config.parse({ listen: false }), at.house.clock)
    const [mine, theirs] = createMemoryPair()
    late.accept(theirs, { principal: 'owner' })
    const wire = new Wire(mine)
    const hello = { channel: ROOT, protocolVersions: ['1.0.0'], clientId: 'z', initialSubscriptions: [ROOT] }
    const id = encodeURIComponent(agent.session.id)
    expect(await wire.request('initialize', hello)).toMatchObject({
      snapshots: [{ state: { terminals: [{ title: 'agent', claim: { session: `ahp-session:/${id}` } }] } }],
    })
    await late.dispose()
    expect(shell.closes).toBe(0)
  })
})

/** A client whose host is the test: T is held by client `a`. */
async function fakeHostFor(clientId: string) {
  const [mine, theirs] = createMemoryPair()
  const wire = new Wire(theirs)
  const { client: own } = openClient({ open: async () => mine, clientId })
  const answer = async (result: unknown) => {
    await settle()
    wire.raw(JSON.stringify({ jsonrpc: '2.0', id: wire.messages.at(-1)?.id, result }))
    await settle()
  }
  await answer({ protocolVersion: '1.0.0', serverSeq: 5, snapshots: [] })
  const subscribing = own.subscribeTerminal(T)
  const content = [{ type: 'unclassified', value: 'text' }]
  const state = { title: 't', content, lifecycle: { status: 'running' }, claim: client('a') }
  await answer({ snapshot: { resource: T, fromSeq: 5, state } })
  return { client: own, wire, view: await subscribing }
}
