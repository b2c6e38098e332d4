/** Sheet §19.2: versions. */
import { describe, expect, it } from 'vitest'
import { type AhpError, createMemoryPair } from '../../src/protocol/index.js'
import { openClient } from '../support/clients.js'
import { codeOf, ROOT, settle, Wire } from '../support/house.js'
import { useHouse } from '../support/use-house.js'

const at = useHouse()

function offer(protocolVersions: unknown, wire = at.house.fresh()): Promise<unknown> {
  return wire.request('initialize', { channel: ROOT, protocolVersions, clientId: 'a' })
}
const chosen = async (versions: unknown) => ((await offer(versions)) as { protocolVersion: string }).protocolVersion

describe('versions', () => {
  it('VE-1 of 1.0.0 and 0.9.0 the higher is taken', async () => {
    expect(await chosen(['1.0.0', '0.9.0'])).toBe('1.0.0')
  })

  it('VE-2 the highest is taken and not the first', async () => {
    expect(await chosen(['0.9.0', '1.0.0'])).toBe('1.0.0')
  })

  it('VE-3 0.10 is never taken', async () => {
    expect(await chosen(['0.10.0', '0.9.0', '0.7.0'])).toBe('0.9.0')
    expect(await codeOf(offer(['0.10.0']))).toBe(-32005)
  })

  it('VE-4 the version is returned as offered', async () => {
    expect(await chosen(['0.9.3'])).toBe('0.9.3')
  })

  it('VE-5 a version above our own is taken only when there is no other', async () => {
    expect(await chosen(['1.1.0', '1.0.0'])).toBe('1.0.0')
    expect(await chosen(['1.1.0'])).toBe('1.1.0')
  })

  it.each([[['2.0.0']], [['999.0.0']], [[]], [['0.5.2']]])(
    'VE-6 %j is refused with what is supported, then closed',
    async (versions) => {
      const wire = at.house.fresh()
      const error = await offer(versions, wire).catch((each: AhpError) => each)
      expect(error).toMatchObject({
        code: -32005,
        data: { supportedVersions: ['^1.0.0', '^0.9.0', '^0.8.0', '^0.7.0'] },
      })
      await settle()
      expect(wire.isClosed).toBe(true)
    },
  )

  it.each([[['1.0']], [['v1.0.0']], [['1.0.0-rc.1']], ['1.0.0'], [['01.0.0']], [[1]], [undefined]])(
    'VE-7 %j is malformed',
    async (versions) => {
      expect(await codeOf(offer(versions))).toBe(-32602)
    },
  )

  it('VE-8 a refused client gets nothing afterwards', async () => {
    const wire = at.house.fresh()
    wire.raw(
      JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { channel: ROOT, protocolVersions: ['2.0.0'], clientId: 'a' },
      }),
    )
    wire.raw(JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'subscribe', params: { channel: ROOT } }))
    await settle()
    expect(wire.answerTo(1)).toMatchObject({ error: { code: -32005 } })
    expect(wire.answerTo(2)?.result).toBeUndefined()
  })

  it('VE-9 a client gives up when the host chooses a version it did not offer', async () => {
    const [mine, theirs] = createMemoryPair()
    const wire = new Wire(theirs)
    const { client } = openClient({ open: async () => mine })
    await settle()
    wire.raw(
      JSON.stringify({ jsonrpc: '2.0', id: 1, result: { protocolVersion: '2.0.0', serverSeq: 0, snapshots: [] } }),
    )
    await settle()
    expect(client.status).toMatchObject({ kind: 'closed', error: { name: 'HandshakeError' } })
    expect(wire.isClosed).toBe(true)
  })
})

describe('the shape of 0.7 and 0.8', () => {
  const session = { kind: 'session', session: 'ahp-session:/s' }

  it.each(['0.7.0', '0.8.1'])('has exitCode at the top and no chat in claims (%s)', async (version) => {
    const { house } = at
    const old = await house.connect({ clientId: 'old', versions: [version], subscriptions: [ROOT] })
    await old.request('createTerminal', { channel: 'ahp-terminal:/old', claim: session })
    const { snapshot } = await house.subscribe(old, 'ahp-terminal:/old')
    expect(snapshot.state).toMatchObject({ claim: session, isPty: true })
    expect(snapshot.state).not.toHaveProperty('lifecycle')
    expect(snapshot.state.claim).not.toHaveProperty('chat')
    house.backend.last.exit(4)
    await settle()
    expect(old.envelopes('ahp-terminal:/old').at(-1)?.action).toEqual({ type: 'terminal/exited', exitCode: 4 })
    expect(old.envelopes(ROOT).at(-1)?.action).toEqual({
      type: 'root/terminalsChanged',
      terminals: [{ resource: 'ahp-terminal:/old', title: 'shell', claim: session, exitCode: 4 }],
    })
    const again = await house.subscribe(old, 'ahp-terminal:/old')
    expect(again.snapshot.state).toMatchObject({ exitCode: 4 })
  })

  it('is one terminal for peers of both shapes', async () => {
    const { house } = at
    const old = await house.connect({ clientId: 'old', versions: ['0.8.0'] })
    const modern = await house.connect({ clientId: 'new' })
    await old.request('createTerminal', { channel: 'ahp-terminal:/both', claim: session })
    const { snapshot } = await house.subscribe(modern, 'ahp-terminal:/both')
    // Before 0.9 a session had one conversation: it stands for itself.
    expect(snapshot.state).toMatchObject({
      lifecycle: { status: 'running' },
      claim: { ...session, chat: 'ahp-session:/s' },
    })
    await house.subscribe(old, 'ahp-terminal:/both')
    await old.act('ahp-terminal:/both', { type: 'terminal/claimed', claim: { kind: 'client', clientId: 'old' } })
    await old.act('ahp-terminal:/both', { type: 'terminal/claimed', claim: session })
    expect(old.envelopes('ahp-terminal:/both').at(-1)?.action).toEqual({ type: 'terminal/claimed', claim: session })
    expect(modern.envelopes('ahp-terminal:/both').at(-1)?.action).toEqual({
      type: 'terminal/claimed',
      claim: { ...session, chat: 'ahp-session:/s' },
    })
  })

  it('is read by the client as today’s', async () => {
    const { client } = openClient({ open: async () => at.house.open(), clientId: 'old', protocolVersions: ['0.7.0'] })
    await client.waitForReady()
    const root = await client.subscribeRoot()
    const uri = await client.createTerminal({
      claim: { kind: 'session', session: 'ahp-session:/s', chat: 'ahp-chat:/c' },
    })
    const view = await client.subscribeTerminal(uri)
    expect(view.state).toMatchObject({ lifecycle: { status: 'running' }, claim: { chat: 'ahp-session:/s' } })
    at.house.backend.last.exit(0)
    await settle()
    expect(view.state?.lifecycle).toEqual({ status: 'exited', exitCode: 0 })
    expect(root.state?.terminals).toMatchObject([{ lifecycle: { status: 'exited', exitCode: 0 } }])
    client.close()
    await settle()
  })
})
