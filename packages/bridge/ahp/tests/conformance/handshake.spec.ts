/** Sheet §19.3: handshake, ping, shutdown. */
import { describe, expect, it } from 'vitest'
import { createMemoryPair } from '../../src/protocol/index.js'
import { openClient } from '../support/clients.js'
import { codeOf, ROOT, settle, T, Wire } from '../support/house.js'
import { useHouse } from '../support/use-house.js'

const at = useHouse()
const hello = { channel: ROOT, protocolVersions: ['1.0.0'], clientId: 'a' }

describe('handshake, ping, shutdown', () => {
  it('HS-1 ping is answered before anything else', async () => {
    expect(await at.house.fresh().request('ping')).toBeNull()
  })

  it('HS-2 other requests are refused before the handshake, without effect', async () => {
    const wire = at.house.fresh()
    expect(await codeOf(wire.request('subscribe', { channel: ROOT }))).toBe(-32600)
    const claim = { kind: 'client', clientId: 'a' }
    expect(await codeOf(wire.request('createTerminal', { channel: T, claim }))).toBe(-32600)
    expect(at.house.backend.sessions).toEqual([])
  })

  it('HS-3 notifications are dropped before the handshake', async () => {
    const { a, session } = await at.house.withT()
    const before = a.messages.length
    const wire = at.house.fresh()
    wire.dispatch(T, { type: 'terminal/input', data: 'x' })
    await settle()
    expect(wire.messages).toEqual([])
    expect(a.messages).toHaveLength(before)
    expect(session.inputs).toEqual([])
  })

  it('HS-4 without initial subscriptions there are no snapshots', async () => {
    const result = await at.house.fresh().request('initialize', hello)
    expect(result).toMatchObject({ snapshots: [], serverSeq: expect.any(Number) })
  })

  it('HS-5 the root can be subscribed to on the way', async () => {
    const wire = at.house.fresh()
    const result = await wire.request('initialize', { ...hello, initialSubscriptions: [ROOT] })
    expect(result).toMatchObject({ snapshots: [{ resource: ROOT, state: { agents: [], terminals: [] }, fromSeq: 0 }] })
    await at.house.create(wire)
    expect(wire.envelopes(ROOT).map(({ serverSeq }) => serverSeq)).toEqual([1])
  })

  it('HS-6 an unknown initial subscription gives no snapshot and no error', async () => {
    const result = await at.house
      .fresh()
      .request('initialize', { ...hello, initialSubscriptions: ['ahp-terminal:/gone', ROOT] })
    expect(result).toMatchObject({ snapshots: [{ resource: ROOT }] })
  })

  it('HS-7 a second initialize is refused and changes nothing', async () => {
    const wire = await at.house.connect({ subscriptions: [ROOT] })
    expect(await codeOf(wire.request('initialize', { ...hello, clientId: 'other' }))).toBe(-32600)
    await at.house.create(wire)
    expect(wire.envelopes(ROOT)).toHaveLength(1)
  })

  it('HS-8 terminals outlive the connection of their client, with the same claim', async () => {
    const { a, session } = await at.house.withT()
    a.close()
    await settle()
    const b = await at.house.connect({ clientId: 'b', subscriptions: [ROOT] })
    expect(session.closes).toBe(0)
    const claim = { kind: 'client', clientId: 'a' }
    expect(b.messages[0]?.result).toMatchObject({ snapshots: [{ state: { terminals: [{ resource: T, claim }] } }] })
  })

  it('HS-9 there are no sessions to list', async () => {
    const wire = await at.house.connect()
    expect(await wire.request('listSessions')).toEqual({ items: [] })
    expect(await codeOf(wire.request('authenticate', { channel: ROOT, resource: 'x', token: 'y' }))).toBe(-32602)
  })

  it('HS-10 a change of settings is echoed and changes nothing', async () => {
    const wire = await at.house.connect({ subscriptions: [ROOT] })
    const action = { type: 'root/configChanged', config: { theme: 'dark' } }
    const [envelope] = await wire.act(ROOT, action)
    expect(envelope).toMatchObject({ channel: ROOT, action, origin: { clientId: 'a', clientSeq: 1 } })
    const b = await at.house.connect({ clientId: 'b', subscriptions: [ROOT] })
    expect(b.messages[0]?.result).toMatchObject({ snapshots: [{ state: { agents: [], terminals: [] } }] })
  })

  it('HS-11 the private notification of VS Code is dropped', async () => {
    const wire = await at.house.connect()
    const before = wire.messages.length
    wire.notify('setClientManagedSettingsPermissions', { channel: ROOT, permissions: {} })
    await settle()
    expect(wire.messages).toHaveLength(before)
  })

  it('HS-12 the root keeps the spelling of its subscriber', async () => {
    const short = await at.house.connect({ clientId: 'short', subscriptions: ['ahp-root:'] })
    const long = await at.house.connect({ subscriptions: [ROOT] })
    await at.house.create(long)
    expect(short.envelopes().map(({ channel }) => channel)).toEqual(['ahp-root:'])
    expect(long.envelopes().map(({ channel }) => channel)).toEqual([ROOT])
    expect(short.messages[0]?.result).toMatchObject({ snapshots: [{ resource: 'ahp-root:' }] })
  })

  it('HS-13 a client pings a silent host, and leaves one that does not answer', async () => {
    const hosts: Wire[] = []
    const { client, clock } = openClient({
      open: async () => {
        const [mine, theirs] = createMemoryPair()
        hosts.push(new Wire(theirs))
        return mine
      },
    })
    await settle()
    const first = hosts[0] as Wire
    const answer = (id: unknown, result: unknown) => first.raw(JSON.stringify({ jsonrpc: '2.0', id, result }))
    answer(first.messages[0]?.id, { protocolVersion: '1.0.0', serverSeq: 0, snapshots: [] })
    await settle()
    clock.advance(4_999)
    await settle()
    expect(first.messages).toHaveLength(1)
    clock.advance(1)
    await settle()
    expect(first.messages.at(-1)).toMatchObject({ method: 'ping', params: { channel: ROOT } })
    answer(first.messages.at(-1)?.id, null)
    await settle()
    clock.advance(5_000)
    await settle()
    expect(first.messages.filter(({ method }) => method === 'ping')).toHaveLength(2)
    clock.advance(5_000)
    await settle()
    expect(first.isClosed).toBe(true)
    expect(client.status.kind).toBe('waiting')
    clock.advance(250)
    await settle()
    expect(hosts[1]?.messages[0]).toMatchObject({ method: 'reconnect' })
    client.close()
    await settle()
  })
})
