/** Sheet §19.5: reconnecting. */
import { describe, expect, it } from 'vitest'
import type { Transport } from '../../src/protocol/index.js'
import { openClient } from '../support/clients.js'
import type { House } from '../support/house.js'
import { codeOf, ROOT, settle, T, type Wire } from '../support/house.js'
import { useHouse } from '../support/use-house.js'

const at = useHouse()
const U = 'ahp-terminal:/u'

function reconnect(wire: Wire, lastSeenServerSeq: number, subscriptions: readonly string[], clientId = 'a') {
  return wire.request('reconnect', { channel: ROOT, clientId, lastSeenServerSeq, subscriptions }) as Promise<{
    readonly type: string
    readonly actions?: readonly { readonly serverSeq: number; readonly channel: string; readonly action: object }[]
    readonly snapshots?: readonly { readonly resource: string; readonly fromSeq: number; readonly state: unknown }[]
    readonly missing?: readonly string[]
  }>
}

/** A's last connection breaks after having seen everything. */
async function breakOff(house: House) {
  const { a, session } = await house.withT()
  session.print('before ')
  await settle()
  const seen = Math.max(...a.envelopes().map(({ serverSeq }) => serverSeq))
  a.close()
  await settle()
  return { session, seen }
}

/** A client of the host of a test, whose connection the test can break. */
async function clientOf(house: House, clientId = 'a') {
  const transports: Transport[] = []
  let isSwallowing = false
  const { client, clock } = openClient({
    clientId,
    open: async () => {
      const transport = house.open()
      const send = transport.send.bind(transport)
      isSwallowing = false
      transport.send = (message) => {
        if (!isSwallowing) send(message)
      }
      transports.push(transport)
      return transport
    },
  })
  await client.waitForReady()
  const root = await client.subscribeRoot()
  return {
    /** From now on nothing of what the client sends arrives. */
    swallow() {
      isSwallowing = true
    },
    client,
    root,
    async breakOff() {
      transports.at(-1)?.close()
      await settle()
    },
    async comeBack() {
      clock.advance(60_000)
      await settle()
    },
    async end() {
      client.close()
      await settle()
    },
  }
}

describe('reconnecting', () => {
  it('RC-1 gives exactly what was missed, ascending', async () => {
    const { session, seen } = await breakOff(at.house)
    session.print('missed')
    session.run('ls')(0)
    await settle()
    const result = await reconnect(at.house.fresh(), seen, [ROOT, T])
    expect(result).toMatchObject({ type: 'replay', missing: [] })
    const numbers = result.actions?.map(({ serverSeq }) => serverSeq) ?? []
    expect(numbers).toEqual([seen + 1, seen + 2, seen + 3, seen + 4])
    expect(result.actions?.[0]).toMatchObject({ channel: T, action: { type: 'terminal/data', data: 'missed' } })
  })

  it('RC-2 a channel that is not listed stays away', async () => {
    const { session, seen } = await breakOff(at.house)
    session.print('missed')
    await settle()
    const wire = at.house.fresh()
    const result = await reconnect(wire, seen, [ROOT])
    expect(result.actions).toEqual([])
    session.print('later')
    await at.house.pass(8)
    expect(wire.envelopes()).toEqual([])
  })

  it('RC-3 nothing missed gives an empty replay', async () => {
    const { seen } = await breakOff(at.house)
    expect(await reconnect(at.house.fresh(), seen, [ROOT, T])).toEqual({ type: 'replay', actions: [], missing: [] })
  })

  it('RC-4 a terminal that is gone is missing, and the client forgets it', async () => {
    const { seen } = await breakOff(at.house)
    const b = await at.house.connect({ clientId: 'b' })
    await b.request('disposeTerminal', { channel: T })
    expect(await reconnect(at.house.fresh(), seen, [ROOT, T])).toMatchObject({ type: 'replay', missing: [T] })

    const one = await clientOf(at.house, 'c')
    const uri = await one.client.createTerminal()
    const view = await one.client.subscribeTerminal(uri)
    await one.breakOff()
    await b.request('disposeTerminal', { channel: uri })
    await one.comeBack()
    expect(view.isGone).toBe(true)
    await expect(one.client.subscribeTerminal(uri)).rejects.toMatchObject({ code: -32008 })
    await one.end()
  })

  it('RC-5 beyond the buffer there are snapshots, and none of what is gone', async () => {
    const house = await at.rebuild({ replayEntries: 3 })
    const { session, seen } = await breakOff(house)
    for (let number = 0; number < 5; number++) session.run(`c${number}`)(0)
    await settle()
    const result = await reconnect(house.fresh(), seen, [ROOT, T, 'ahp-terminal:/older'])
    expect(result.type).toBe('snapshot')
    expect(result.snapshots?.map(({ resource }) => resource)).toEqual([ROOT, T])
    expect(result.snapshots?.[1]).toMatchObject({
      fromSeq: seen + 11,
      state: { content: [{ value: 'before ' }, ...Array.from({ length: 5 }, () => ({ isComplete: true }))] },
    })
  })

  it('RC-6 later output arrives live, above everything in the result', async () => {
    const { session, seen } = await breakOff(at.house)
    session.print('missed')
    await settle()
    const wire = at.house.fresh()
    const result = await reconnect(wire, seen, [T])
    await at.house.pass(8)
    session.print('live')
    await settle()
    expect(wire.envelopes(T)).toMatchObject([
      { action: { data: 'live' }, serverSeq: (result.actions?.at(-1)?.serverSeq ?? 0) + 1 },
    ])
  })

  it('RC-7 an unknown client is -32008, and a client starts over with its id and subscriptions', async () => {
    expect(await codeOf(reconnect(at.house.fresh(), 0, [ROOT], 'stranger'))).toBe(-32008)

    let house = at.house
    const transports: Transport[] = []
    const { client, clock } = openClient({
      open: async () => {
        const transport = house.open()
        transports.push(transport)
        return transport
      },
    })
    await client.waitForReady()
    const root = await client.subscribeRoot()
    const lost = await client.subscribeTerminal(await client.createTerminal({ uri: T }))
    house = await at.rebuild({})
    transports.at(-1)?.close()
    await settle()
    clock.advance(1_000)
    await settle()
    expect(client.status.kind).toBe('ready')
    expect(lost.isGone).toBe(true)
    expect(root.state?.terminals).toEqual([])
    await client.createTerminal({ uri: T })
    expect(root.state?.terminals).toMatchObject([{ resource: T, claim: { clientId: 'a' } }])
    client.close()
    await settle()
  })

  it('RC-8 a number that the host has not reached yet gives no replay', async () => {
    const { seen } = await breakOff(at.house)
    expect(await reconnect(at.house.fresh(), seen + 1_000, [ROOT])).toMatchObject({ type: 'snapshot' })
  })

  it('RC-9 after a break nothing is pending and the client’s state is the host’s', async () => {
    const one = await clientOf(at.house)
    const view = await one.client.subscribeTerminal(await one.client.createTerminal({ uri: T }))
    const renaming = one.client.dispatch(T, { type: 'terminal/titleChanged', title: 'new' })
    await one.breakOff()
    expect(await renaming).toMatchObject({ kind: expect.stringMatching(/accepted|unknown/) })
    await one.comeBack()
    expect(one.client.pendingCount).toBe(0)
    expect(view.state).toEqual(await at.house.stateOf())
    await one.end()
  })

  it('RC-10 input whose fate is unknown is not sent again', async () => {
    const one = await clientOf(at.house)
    await one.client.subscribeTerminal(await one.client.createTerminal({ uri: T }))
    const session = at.house.backend.last
    one.swallow()
    const typing = one.client.dispatch(T, { type: 'terminal/input', data: 'rm x\r' })
    await settle()
    expect(one.client.pendingCount).toBe(1)
    await one.breakOff()
    expect(await typing).toEqual({ kind: 'unknown' })
    await one.comeBack()
    expect(one.client.status.kind).toBe('ready')
    expect(await one.client.dispatch(T, { type: 'terminal/input', data: 'y' })).toMatchObject({ kind: 'accepted' })
    expect(session.inputs).toEqual(['y'])
    await one.end()
  })

  it('RC-11 who held a terminal may type at once under the same id', async () => {
    const { session, seen } = await breakOff(at.house)
    const wire = at.house.fresh()
    await reconnect(wire, seen, [T])
    const [echo] = await wire.act(T, { type: 'terminal/input', data: 'x' })
    expect(echo).not.toHaveProperty('rejectionReason')
    expect(session.inputs).toEqual(['x'])
    expect((await at.house.stateOf()).claim).toEqual({ kind: 'client', clientId: 'a' })
    expect(at.house.backend.sessions).toHaveLength(1)
  })

  it('RC-12 refusals are replayed to their own client only', async () => {
    const { house } = at
    const { a } = await house.withT()
    const b = await house.connect({ clientId: 'b' })
    await b.act(T, { type: 'terminal/input', data: 'x' })
    a.close()
    b.close()
    await settle()
    const forA = await reconnect(house.fresh(), 0, [T])
    const forB = await reconnect(house.fresh(), 0, [T], 'b')
    // From 0 the terminal did not exist yet, so that everything comes as a snapshot.
    expect([forA.type, forB.type]).toEqual(['snapshot', 'snapshot'])
    const afterA = await reconnect(house.fresh(), 1, [T])
    const afterB = await reconnect(house.fresh(), 1, [T], 'b')
    expect(afterA.actions).toEqual([])
    expect(afterB.actions).toMatchObject([{ rejectionReason: 'claimed by another client' }])
  })

  it('RC-13 reconnect on a ready connection is refused', async () => {
    const wire = await at.house.connect()
    expect(await codeOf(reconnect(wire, 0, [ROOT]))).toBe(-32600)
  })

  it('RC-14 a client drops what a snapshot result calls missing, and ignores keys it does not know', async () => {
    const house = await at.rebuild({ replayEntries: 1 })
    const one = await clientOf(house)
    const view = await one.client.subscribeTerminal(await one.client.createTerminal({ uri: T }))
    await one.breakOff()
    const b = await house.connect({ clientId: 'b' })
    await b.request('disposeTerminal', { channel: T })
    await house.create(b, { clientId: 'b', uri: U })
    await one.comeBack()
    expect(view.isGone).toBe(true)
    expect(one.root.state?.terminals).toMatchObject([{ resource: U }])
    await one.end()
  })

  it('RC-15 somebody else’s client id is refused', async () => {
    await breakOff(at.house)
    expect(await codeOf(reconnect(at.house.fresh('mallory'), 0, [ROOT]))).toBe(-32009)
  })

  it('RC-16 the result holds actions only, whatever else was said during the break', async () => {
    const { session, seen } = await breakOff(at.house)
    session.exit(0)
    await settle()
    const result = await reconnect(at.house.fresh(), seen, [ROOT, T])
    expect(Object.keys(result).sort()).toEqual(['actions', 'missing', 'type'])
    for (const envelope of result.actions ?? [])
      expect(envelope.action).toHaveProperty('type', expect.stringMatching(/^(root|terminal)\//))
  })

  it('gives snapshots when a terminal was created anew under its old URI meanwhile', async () => {
    const { seen } = await breakOff(at.house)
    const b = await at.house.connect({ clientId: 'b' })
    await b.request('disposeTerminal', { channel: T })
    const session = await at.house.create(b, { clientId: 'b' })
    session.print('anew')
    await settle()
    const result = await reconnect(at.house.fresh(), seen, [T])
    const content = [{ type: 'unclassified', value: 'anew' }]
    expect(result).toMatchObject({ type: 'snapshot', snapshots: [{ state: { claim: { clientId: 'b' }, content } }] })
  })
})
