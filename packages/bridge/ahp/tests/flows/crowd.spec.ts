/** Many clients, clients that do not read, and peers that talk nonsense. Real shells, real sockets. */
import { createConnection } from 'node:net'
import { useBaseline } from '@agent-terminals/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { ROOT, ShellHouse } from '../support/shell-house.js'
import type { Wire } from '../support/wire.js'

useBaseline()

const houses: ShellHouse[] = []
async function build(config: Readonly<Record<string, unknown>> = {}): Promise<ShellHouse> {
  const house = await ShellHouse.build(config)
  houses.push(house)
  return house
}
afterEach(async () => {
  for (const house of houses.splice(0)) await house.dispose()
})
const URI = 'ahp-terminal:/crowd'

async function openTerminal(house: ShellHouse): Promise<Wire> {
  const wire = await house.readyWire('a')
  await wire.request('createTerminal', { channel: URI, claim: { kind: 'client', clientId: 'a' } })
  await wire.request('subscribe', { channel: URI })
  return wire
}
const type = (wire: Wire, data: string) => wire.dispatch(URI, { type: 'terminal/input', data })

describe('a crowd', () => {
  it('of a hundred clients on one busy terminal gets the same envelopes, all of them', async () => {
    const house = await build()
    const typist = await openTerminal(house)
    const crowd = await Promise.all(Array.from({ length: 100 }, (_, number) => house.readyWire(`c${number}`)))
    await Promise.all(crowd.map((wire) => wire.request('subscribe', { channel: URI })))
    type(typist, 'seq 1 20000; echo end$((1+1))\r')
    await Promise.all(
      [typist, ...crowd].map((wire) =>
        wire.waitFor(() => wire.output(URI).endsWith('$ ') || wire.texts.at(-1)?.includes('end2\\r\\n') === true),
      ),
    )
    await typist.waitFor(() => typist.output(URI).includes('end2\r\n'))
    const expected = typist.output(URI)
    const upTo = expected.indexOf('end2\r\n')
    for (const wire of crowd) {
      await wire.waitFor(() => wire.output(URI).includes('end2\r\n'))
      expect(wire.output(URI).slice(0, upTo)).toBe(expected.slice(0, upTo))
    }
  })

  it('is not held up by one that stops to read, whose messages take bounded memory', async () => {
    const house = await build({ maxHeldUnits: 2 << 20 })
    const typist = await openTerminal(house)
    const stuck = new WebSocket(house.address)
    await new Promise((resolve) => stuck.on('open', resolve))
    const hello = { channel: ROOT, protocolVersions: ['1.0.0'], clientId: 'stuck', initialSubscriptions: [URI] }
    stuck.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello }))
    await new Promise((resolve) => stuck.once('message', resolve))
    const closed = new Promise<void>((resolve) => stuck.on('close', () => resolve()))
    stuck.on('error', () => {})
    stuck.pause()
    global.gc?.()
    const before = process.memoryUsage().rss
    type(typist, "head -c 24000000 /dev/zero | tr '\\0' y | fold -w 200; echo end$((1+1))\r")
    await typist.waitFor(() => typist.texts.at(-1)?.includes('end2\\r\\n') === true || typist.texts.length > 1_000_000)
    // The typist's own copy in this process is most of what there is.
    const own = typist.texts.reduce((sum, text) => sum + text.length, 0) * 4
    expect(process.memoryUsage().rss - before).toBeLessThan(own + (160 << 20))
    stuck.resume()
    await closed
    const back = await house.wire()
    const params = { channel: ROOT, clientId: 'stuck', lastSeenServerSeq: 2, subscriptions: [URI] }
    expect(await back.request('reconnect', params)).toMatchObject({ type: 'snapshot' })
  })

  it('of peers that talk nonsense by the thousand leaves the host alive', async () => {
    const house = await build({ maxMalformed: 1_000_000 })
    const typist = await openTerminal(house)
    const pieces = [
      '{',
      '[]',
      'null',
      '"x"',
      '{"jsonrpc":"2.0"}',
      '{"jsonrpc":"1.0","id":"n","method":"ping"}',
      '\u0000',
      '{"jsonrpc":"2.0","id":{},"method":"x"}',
    ]
    const messages = [
      { id: 'b', method: 'initialize', params: null },
      { id: 'a', method: 'initialize', params: { protocolVersions: {}, clientId: [] } },
      { id: 'n3', method: 'subscribe', params: { channel: 7 } },
      { id: 'n4', method: 'createTerminal', params: { channel: '', claim: [], cwd: {}, cols: {} } },
      { method: 'dispatchAction', params: { channel: URI, clientSeq: 'x', action: null } },
      { method: 'dispatchAction', params: { channel: URI, clientSeq: 1, action: { type: '__proto__' } } },
      { method: 'dispatchAction', params: { channel: URI, clientSeq: 1, action: { type: 'terminal/input' } } },
      {
        method: 'dispatchAction',
        params: {
          channel: URI,
          clientSeq: 1,
          action: { type: 'terminal/claimed', claim: { kind: 'session', session: {} } },
        },
      },
      { method: 'unsubscribe', params: [] },
      { id: 'n5', result: {} },
      { id: 'n6', error: { code: 'x' } },
    ].map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }))
    const fresh = await house.wire()
    const ready = await house.readyWire('b')
    for (let round = 0; round < 120; round++) {
      for (const text of [...pieces, ...messages]) {
        fresh.raw(text)
        ready.raw(text)
      }
    }
    expect(await ready.request('ping')).toBeNull()
    expect(await fresh.request('ping')).toBeNull()
    type(typist, 'echo alive\r')
    await typist.waitFor(() => typist.output(URI).includes('alive\r\n'))
    expect(ready.messages.filter(({ error }) => error?.code === -32603)).toEqual([])
    expect(house.logged.filter((line) => !line.includes('input was not delivered'))).toEqual([])
  })

  it('of connections that are no WebSocket, or break the frame format, leaves the host alive', async () => {
    const house = await build()
    const { port, hostname } = new URL(house.address)
    const raw = (text: string) =>
      new Promise<void>((resolve) => {
        const socket = createConnection(Number(port), hostname, () => socket.write(text))
        socket.on('error', () => {})
        socket.on('data', () => socket.destroy())
        socket.on('close', () => resolve())
      })
    const upgrade = (target: string) =>
      `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n`
    const texts = [
      'nonsense\r\n\r\n',
      upgrade('/'),
      upgrade('//['),
      upgrade('*'),
      upgrade('http://['),
      upgrade('/?tkn=%ff%'),
    ]
    await Promise.all(Array.from({ length: 60 }, (_, number) => raw(texts[number % texts.length] ?? '')))
    const socket = new WebSocket(house.address)
    socket.on('error', () => {})
    await new Promise((resolve) => socket.on('open', resolve))
    const below: unknown = Reflect.get(socket, '_socket')
    if (typeof below === 'object' && below !== null && 'write' in below && typeof below.write === 'function')
      below.write(Buffer.from('ffffffffffff', 'hex'))
    await new Promise((resolve) => socket.on('close', resolve))
    const wire = await house.readyWire('a')
    expect(await wire.request('ping')).toBeNull()
  })
})
