/** Sheet §19.4: subscribing. */
import { describe, expect, it } from 'vitest'
import { createMemoryPair, rawStream, type TerminalState } from '../../src/protocol/index.js'
import { openClient } from '../support/clients.js'
import { codeOf, ROOT, settle, T, Wire } from '../support/house.js'
import { useHouse } from '../support/use-house.js'
import { useShellHouse } from '../support/use-shell-house.js'

const at = useHouse()
const withShell = useShellHouse()

/** A client whose host is the test, at the moment at which it asks for T. */
async function askingClient() {
  const [mine, theirs] = createMemoryPair()
  const wire = new Wire(theirs)
  const { client } = openClient({ open: async () => mine })
  await settle()
  const answer = async (result: unknown) => {
    wire.raw(JSON.stringify({ jsonrpc: '2.0', id: wire.messages.at(-1)?.id, result }))
    await settle()
  }
  await answer({ protocolVersion: '1.0.0', serverSeq: 0, snapshots: [] })
  const subscribing = client.subscribeTerminal(T)
  subscribing.catch(() => {})
  await settle()
  return { client, wire, answer, subscribing }
}
const state: TerminalState = {
  title: 't',
  content: [{ type: 'unclassified', value: 'old ' }],
  lifecycle: { status: 'running' },
  claim: { kind: 'client', clientId: 'a' },
}
const data = (serverSeq: number, text: string) => ({
  channel: T,
  serverSeq,
  action: { type: 'terminal/data', data: text },
})

describe('subscribing', () => {
  it('SU-1 the snapshot is the state up to fromSeq', async () => {
    const { a, session } = await at.house.withT()
    session.print('one')
    session.print('two')
    await settle()
    const { snapshot } = await at.house.subscribe(a)
    expect(rawStream(snapshot.state.content)).toBe('onetwo')
    expect(snapshot.fromSeq).toBe(Math.max(...a.envelopes().map(({ serverSeq }) => serverSeq)))
  })

  it('SU-2 snapshot and later data are the whole stream, without gap or repetition', async () => {
    const shell = await withShell.open()
    await shell.type('for i in $(seq 1 3000); do echo line-$i; done; echo END$((1+1))\r')
    await shell.waitForOutput('line-500')
    const late = await withShell.house.readyWire('late')
    const { snapshot } = (await late.request('subscribe', { channel: shell.uri })) as {
      snapshot: { state: TerminalState }
    }
    const begin = rawStream(snapshot.state.content)
    await shell.waitForOutput('END2\r\n')
    await late.waitFor(() => (begin + late.output(shell.uri)).includes('END2\r\n'))
    const length = Math.min(shell.output.length, (begin + late.output(shell.uri)).length)
    expect((begin + late.output(shell.uri)).slice(0, length)).toBe(shell.output.slice(0, length))
    expect(begin.length).toBeGreaterThan(0)
    late.close()
  })

  it('SU-3 envelopes before the answer wait for it, and only the newer ones are applied, in order', async () => {
    const { client, wire, answer, subscribing } = await askingClient()
    for (const each of [data(4, 'known '), data(5, 'known '), data(6, 'six '), data(7, 'seven')])
      wire.notify('action', each)
    await settle()
    await answer({ snapshot: { resource: T, state, fromSeq: 5 } })
    const view = await subscribing
    expect(rawStream(view.state?.content ?? [])).toBe('old six seven')
    client.close()
    await settle()
  })

  it('SU-4 without a subscription nothing arrives', async () => {
    const { session } = await at.house.withT()
    const b = await at.house.connect({ clientId: 'b' })
    session.print('secret')
    await settle()
    expect(b.envelopes()).toEqual([])
  })

  it('SU-5 all subscribers get the same envelopes', async () => {
    const { a, session } = await at.house.withT()
    const b = await at.house.connect({ clientId: 'b' })
    await at.house.subscribe(b)
    session.print('x')
    session.run('ls')(0)
    await settle()
    expect(b.envelopes(T)).toHaveLength(4)
    expect(b.envelopes(T)).toEqual(a.envelopes(T))
  })

  it('SU-6 after unsubscribing nothing arrives, while others go on', async () => {
    const { a, session } = await at.house.withT()
    const b = await at.house.connect({ clientId: 'b' })
    await at.house.subscribe(b)
    b.notify('unsubscribe', { channel: T })
    await settle()
    session.print('x')
    await settle()
    expect(b.envelopes()).toEqual([])
    expect(a.output(T)).toBe('x')
  })

  it('SU-7 what was printed to nobody is in the snapshot, in its place', async () => {
    const a = await at.house.connect()
    const session = await at.house.create(a)
    session.print('first ')
    session.print('second')
    await settle()
    const { snapshot } = await at.house.subscribe(a)
    expect(snapshot.state.content).toEqual([{ type: 'unclassified', value: 'first second' }])
  })

  it('SU-8 subscribing again gives a fresh snapshot, and each envelope once', async () => {
    const { a, session } = await at.house.withT()
    session.print('x')
    await settle()
    const { snapshot } = await at.house.subscribe(a)
    expect(rawStream(snapshot.state.content)).toBe('x')
    await at.house.pass(8)
    session.print('y')
    await settle()
    expect(a.output(T)).toBe('xy')
  })

  it('SU-9 an unknown terminal is -32008, and a client takes -32001 for the same', async () => {
    const wire = await at.house.connect()
    expect(await codeOf(wire.request('subscribe', { channel: 'ahp-terminal:/none' }))).toBe(-32008)
    const fake = await askingClient()
    const error = { code: -32001, message: 'no session' }
    fake.wire.raw(JSON.stringify({ jsonrpc: '2.0', id: fake.wire.messages.at(-1)?.id, error }))
    await expect(fake.subscribing).rejects.toMatchObject({ code: -32001 })
    fake.client.close()
    await settle()
  })

  it('SU-10 unsubscribing from what was never subscribed to is silent', async () => {
    const wire = await at.house.connect()
    const before = wire.messages.length
    wire.notify('unsubscribe', { channel: T })
    wire.notify('unsubscribe', { channel: ROOT })
    wire.notify('unsubscribe', {})
    await settle()
    expect(wire.messages).toHaveLength(before)
    expect(await wire.request('ping')).toBeNull()
  })

  it('SU-11 with maxLatencyMs 0 a byte does not wait', async () => {
    const { a, session } = await at.house.withT()
    await at.house.subscribe(a, T, { maxLatencyMs: 0 })
    for (const letter of 'abc') {
      session.print(letter)
      await settle()
    }
    expect(a.envelopes(T).map(({ action }) => action)).toEqual(
      ['a', 'b', 'c'].map((letter) => ({ type: 'terminal/data', data: letter })),
    )
  })

  it('SU-12 with maxLatencyMs 100 a burst takes few messages and no longer than that', async () => {
    const { a, session } = await at.house.withT()
    await at.house.subscribe(a, T, { maxLatencyMs: 100 })
    session.print('0')
    await settle()
    for (const digit of '123456789') {
      await at.house.pass(1)
      session.print(digit)
    }
    await at.house.pass(90)
    expect(a.output(T)).toBe('0')
    await at.house.pass(1)
    expect(a.output(T)).toBe('0123456789')
    expect(a.envelopes(T)).toHaveLength(2)
  })

  it('SU-13 each terminal prints on its own channel only', async () => {
    const { a, session } = await at.house.withT()
    const other = await at.house.create(a, { uri: 'ahp-terminal:/u' })
    await at.house.subscribe(a, 'ahp-terminal:/u')
    session.print('t')
    other.print('u')
    await settle()
    expect([a.output(T), a.output('ahp-terminal:/u')]).toEqual(['t', 'u'])
  })

  it('SU-14 a client chooses the reducer by the URI, whatever the state looks like', async () => {
    const { client, wire, answer, subscribing } = await askingClient()
    const odd = { ...state, turns: [], entries: [], agents: [], terminals: [] }
    await answer({ snapshot: { resource: T, state: odd, fromSeq: 5 } })
    const view = await subscribing
    wire.notify('action', data(6, 'more'))
    await settle()
    expect(rawStream(view.state?.content ?? [])).toBe('old more')
    client.close()
    await settle()
  })
})
