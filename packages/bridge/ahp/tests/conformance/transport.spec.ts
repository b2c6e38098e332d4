/** Sheet §19.1: transport and JSON-RPC. */
import { describe, expect, it } from 'vitest'
import { AhpError, createMemoryPair } from '../../src/protocol/index.js'
import { openClient } from '../support/clients.js'
import { codeOf, ROOT, settle, T, Wire } from '../support/house.js'
import { useHouse } from '../support/use-house.js'
import { useShellHouse } from '../support/use-shell-house.js'

const at = useHouse()
const withShell = useShellHouse()

/** Everything in a message, with the names under which it stands. */
function visit(value: unknown, look: (key: string, value: unknown) => void): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, each] of Object.entries(value)) {
    look(key, each)
    visit(each, look)
  }
}

/** A session that uses most of the protocol. */
async function playSession(wire: Wire): Promise<void> {
  const { house } = at
  const session = await house.create(wire)
  await house.subscribe(wire)
  session.print('$ ')
  const end = session.run('false')
  session.print('x')
  end(1)
  await wire.act(T, { type: 'terminal/input', data: 'y' })
  await wire.act(T, { type: 'terminal/resized', cols: 100, rows: 40 })
  await wire.act(T, { type: 'terminal/data', data: 'z' })
  session.exit(3)
  await settle()
  await wire.request('disposeTerminal', { channel: T })
}

describe('transport and JSON-RPC', () => {
  it('TR-1 each frame is one JSON-RPC 2.0 object', async () => {
    const wire = await at.house.connect({ subscriptions: [ROOT] })
    await playSession(wire)
    expect(wire.texts.length).toBeGreaterThan(10)
    for (const text of wire.texts) expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0' })
  })

  it('TR-2 every request and notification of either side has a channel', async () => {
    const wire = await at.house.connect({ subscriptions: [ROOT] })
    await playSession(wire)
    for (const { method, params } of wire.messages)
      if (method !== undefined) expect(params?.channel).toBeTypeOf('string')
    const [mine, theirs] = createMemoryPair()
    const server = new Wire(theirs)
    const { client } = openClient({ open: async () => mine })
    await server.waitFor(() => server.messages.length > 0)
    expect(server.messages[0]?.params?.channel).toBe(ROOT)
    client.close()
    await settle()
  })

  it('TR-3 what is not JSON is answered with -32700 and the connection goes on', async () => {
    const wire = await at.house.connect()
    wire.raw('{"jsonrpc"')
    await settle()
    expect(wire.messages.at(-1)).toMatchObject({ id: null, error: { code: -32700 } })
    expect(await wire.request('ping')).toBeNull()
  })

  it('TR-4 arrays and objects that are not JSON-RPC are answered with -32600', async () => {
    const wire = await at.house.connect()
    for (const text of ['[]', '[{"jsonrpc":"2.0","id":7,"method":"ping"}]', '{"id":7,"method":"ping"}', '7', 'null']) {
      wire.raw(text)
      await settle()
      expect(wire.messages.at(-1)).toMatchObject({ error: { code: -32600 } })
    }
  })

  it('TR-5 an unknown request is answered with -32601, an unknown notification with silence', async () => {
    const wire = await at.house.connect()
    expect(await codeOf(wire.request('resourceRead', { channel: ROOT }))).toBe(-32601)
    const before = wire.messages.length
    wire.notify('x-unheard', { channel: ROOT })
    await settle()
    expect(wire.messages).toHaveLength(before)
  })

  it('TR-6 extra keys and _meta change nothing', async () => {
    const wire = at.house.fresh()
    const result = await wire.request('initialize', {
      channel: ROOT,
      protocolVersions: ['1.0.0'],
      clientId: 'a',
      _meta: { trace: 1 },
      surprise: [{}],
    })
    expect(result).toMatchObject({ protocolVersion: '1.0.0', snapshots: [] })
    expect(await wire.request('listSessions', { channel: ROOT, _meta: {}, limit: 3 })).toEqual({ items: [] })
  })

  it('TR-7 a client ignores notifications, actions and keys it does not know', async () => {
    const { client, wire, view } = await withFakeHost()
    const before = view.state
    wire.notify('x-unheard', { channel: ROOT })
    wire.notify('action', { channel: T, serverSeq: 6, action: { type: 'terminal/sparkled', glitter: 1 } })
    wire.notify('action', { channel: T, serverSeq: 7, action: { type: 'terminal/input', data: 'x' }, extra: true })
    wire.notify('action', 'nonsense')
    await settle()
    expect(view.state).toBe(before)
    expect(client.status.kind).toBe('ready')
    client.close()
    await settle()
  })

  it('TR-8 an unlisted error code reaches the caller unchanged', async () => {
    const { client, wire } = await withFakeHost()
    const asking = client.request('x-thing', { channel: ROOT })
    await settle()
    wire.raw(JSON.stringify({ jsonrpc: '2.0', id: wire.messages.at(-1)?.id, error: { code: -31999, message: 'odd' } }))
    await expect(asking).rejects.toEqual(new AhpError(-31999, 'odd'))
    client.close()
    await settle()
  })

  it('TR-9 numbers are integers and nothing optional is null', async () => {
    const wire = await at.house.connect({ subscriptions: [ROOT] })
    await playSession(wire)
    for (const message of wire.messages) {
      const isAnswer = message.method === undefined
      visit(isAnswer ? message.result : message.params, (key, value) => {
        if (typeof value === 'number') expect(Number.isInteger(value), key).toBe(true)
        expect(value, key).not.toBeNull()
      })
    }
  })

  it('TR-10 a null where a value may be absent is read as absent', async () => {
    const { client, wire, view } = await withFakeHost()
    wire.notify('action', {
      channel: T,
      serverSeq: 6,
      origin: null,
      rejectionReason: null,
      action: { type: 'terminal/commandFinished', commandId: 'c1', exitCode: null, durationMs: 3 },
    })
    await settle()
    expect(view.state?.content).toEqual([
      {
        type: 'command',
        commandId: 'c1',
        commandLine: 'ls',
        output: '',
        timestamp: 1,
        isComplete: true,
        durationMs: 3,
      },
    ])
    expect(view.state).not.toHaveProperty('cwd')
    client.close()
    await settle()
  })

  it('TR-11 a character written in two pieces arrives once', async () => {
    const { a, session } = await at.house.withT()
    session.printBytes(Uint8Array.of(0x61, 0xf0, 0x9f))
    session.printBytes(Uint8Array.of(0x98, 0x80, 0x62))
    await at.house.pass(8)
    expect(a.output(T)).toBe('a\u{1f600}b')
    const shell = await withShell.open()
    await shell.type("printf '\\xe2\\x82'; sleep 0.05; printf '\\xac!\\n'\r")
    await shell.waitForOutput('€!\r\n')
    expect(shell.output).not.toContain('\ufffd')
  })

  it('TR-12 a ping is answered before a request that is still worked on', async () => {
    const { house } = at
    const wire = await house.connect()
    let letGo = () => {}
    house.backend.gate = new Promise((resolve) => {
      letGo = resolve
    })
    const creating = house.create(wire)
    await settle()
    expect(await wire.request('ping')).toBeNull()
    letGo()
    await creating
    expect(wire.answerTo(2)).toMatchObject({ result: null })
  })

  it('TR-13 over another transport the messages are the same', async () => {
    const memory = await at.house.connect()
    await at.house.create(memory)
    await at.house.subscribe(memory)
    const shell = await withShell.open({ uri: T })
    const [overMemory, overSocket] = [memory, shell.wire].map((wire) =>
      wire.messages.filter(({ method }) => method === undefined).map((message) => shapeOf(message)),
    )
    expect(overSocket?.slice(0, 3)).toEqual(overMemory)
  })
})

/** The names in a message, without the values that differ from run to run. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return []
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== 'supportsCommandDetection')
      .map(([key, each]) => [key, shapeOf(each)]),
  )
}

/** A client whose host is the test: subscribed to T, where a command runs. */
async function withFakeHost() {
  const [mine, theirs] = createMemoryPair()
  const wire = new Wire(theirs)
  const { client } = openClient({ open: async () => mine })
  const answer = async (result: unknown) => {
    await settle()
    wire.raw(JSON.stringify({ jsonrpc: '2.0', id: wire.messages.at(-1)?.id, result }))
    await settle()
  }
  await answer({ protocolVersion: '1.0.0', serverSeq: 5, snapshots: [] })
  const subscribing = client.subscribeTerminal(T)
  const part = { type: 'command', commandId: 'c1', commandLine: 'ls', output: '', timestamp: 1, isComplete: false }
  const state = {
    title: 't',
    cwd: null,
    content: [part],
    lifecycle: { status: 'running' },
    claim: { kind: 'client', clientId: 'a' },
  }
  await answer({ snapshot: { resource: T, fromSeq: 5, state } })
  return { client, wire, view: await subscribing }
}
