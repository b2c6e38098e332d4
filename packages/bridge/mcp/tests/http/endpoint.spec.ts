import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { isAlive, listDescendants, useBaseline, waitUntil } from '@agent-terminals/testing'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { HttpConfig } from '../../src/config.js'
import { type HttpEndpoint, startHttpEndpoint } from '../../src/http/endpoint.js'
import * as plugin from '../../src/http/index.js'
import { buildHouse, call, createClient, type House, openShell, send, textOf } from '../house.js'

useBaseline()

let house: House
let endpoint: HttpEndpoint
beforeAll(async () => {
  house = await buildHouse()
})
afterAll(() => house.dispose())
afterEach(() => endpoint.close())

const notices: string[] = []
async function start(config: Readonly<Record<string, unknown>> = {}): Promise<HttpEndpoint> {
  notices.length = 0
  endpoint = await startHttpEndpoint(house.root, {
    config: HttpConfig.parse(config),
    onNotice: (notice) => notices.push(notice),
  })
  return endpoint
}

interface HttpLink {
  readonly client: Client
  readonly transport: StreamableHTTPClientTransport
}

async function connect(options: { token?: string; roots?: readonly string[] } = {}): Promise<HttpLink> {
  const { token = endpoint.token, roots } = options
  const transport = new StreamableHTTPClientTransport(new URL(endpoint.url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  })
  const client = createClient(roots)
  await client.connect(transport as Transport)
  return { client, transport }
}

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A request with every header chosen, which `fetch` does not allow. */
function ask(
  method: string,
  headers: Readonly<Record<string, string>>,
  body?: string | Buffer,
  path?: string,
): Promise<Answer> {
  const url = new URL(endpoint.url)
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: url.hostname, port: url.port, path: path ?? url.pathname, method, headers, agent: false },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }))
        response.on('error', reject)
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

const protocolHeaders = () => ({
  authorization: `Bearer ${endpoint.token}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
})
const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
})
const ping = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' })

async function openRawSession(): Promise<string> {
  const { headers } = await ask('POST', protocolHeaders(), initialize)
  return String(headers['mcp-session-id'])
}

describe('a session', () => {
  test('lists, calls, streams progress and reads resources as over any transport', async () => {
    await start()
    const { client, transport } = await connect()
    const sessionId = await openShell(client)
    const messages: string[] = []
    const result = await client.callTool(
      { name: 'terminal_send', arguments: { sessionId, text: 'echo a; sleep 0.3; echo b' } },
      undefined,
      { onprogress: ({ message = '' }) => messages.push(message) },
    )
    expect(result.structuredContent).toMatchObject({ text: 'a\nb\n', exitCode: 0 })
    expect(messages[0]).toBe('a\n')
    expect((await client.readResource({ uri: `terminal://${sessionId}` })).contents).toHaveLength(1)
    await transport.terminateSession()
    await client.close()
  })

  test('tells of changes on the stream that the client keeps open', async () => {
    await start({ resourceIntervalMs: 10 })
    const { client, transport } = await connect()
    const seen = new Set<string>()
    client.fallbackNotificationHandler = async ({ method }) => void seen.add(method)
    const sessionId = await openShell(client)
    await client.subscribeResource({ uri: `terminal://${sessionId}` })
    await send(client, sessionId, 'echo out')
    await waitUntil('both have been told', () => seen.size === 2)
    expect([...seen].sort()).toEqual(['notifications/resources/list_changed', 'notifications/resources/updated'])
    await transport.terminateSession()
    await client.close()
  })

  test('asks a client for its roots within its own request', async () => {
    await start()
    const { client, transport } = await connect({ roots: [house.workspace] })
    const sessionId = await openShell(client)
    expect((await send(client, sessionId, 'pwd')).structuredContent?.text).toBe(`${house.workspace}\n`)
    await transport.terminateSession()
    await client.close()
  })

  test('cancelling reaches the program', async () => {
    await start()
    const { client, transport } = await connect()
    const sessionId = await openShell(client)
    const cancel = new AbortController()
    const sleeping = client.callTool(
      { name: 'terminal_send', arguments: { sessionId, text: 'sleep 600' } },
      undefined,
      {
        signal: cancel.signal,
      },
    )
    sleeping.catch(() => undefined)
    const sleeps = () => listDescendants(process.pid).filter(({ command }) => command === 'sleep')
    await waitUntil('sleep runs', () => sleeps().length === 1)
    cancel.abort('stop')
    await waitUntil('sleep is gone', () => sleeps().length === 0)
    await transport.terminateSession()
    await client.close()
  })

  test('DELETE ends it: when it is answered, its terminals are gone', async () => {
    await start()
    const { client, transport } = await connect()
    await openShell(client)
    const [shell] = listDescendants(process.pid).filter(({ command }) => command === 'bash')
    await transport.terminateSession()
    expect(shell && isAlive(shell.pid)).toBe(false)
    expect(endpoint.sessionCount).toBe(0)
    await client.close()
  })

  test('two sessions do not see each other', async () => {
    await start()
    const [a, b] = [await connect(), await connect()]
    const sessionId = await openShell(a.client)
    expect(textOf(await call(b.client, 'terminal_list', {}))).not.toContain(sessionId)
    expect(await call(b.client, 'terminal_send', { sessionId, text: 'x' })).toMatchObject({ isError: true })
    expect((await b.client.listResources()).resources).toEqual([])
    await expect(b.client.readResource({ uri: `terminal://${sessionId}` })).rejects.toMatchObject({ code: -32002 })
    for (const { client, transport } of [a, b]) {
      await transport.terminateSession()
      await client.close()
    }
  })

  test('one that nobody uses any more ends after the idle time, with its terminals', async () => {
    await start({ idleSessionMs: 1000 })
    const { client } = await connect()
    await openShell(client)
    const [shell] = listDescendants(process.pid).filter(({ command }) => command === 'bash')
    // Closing the client drops its streams and says nothing: as if it had been killed.
    await client.close()
    await waitUntil('the session has ended', () => endpoint.sessionCount === 0)
    expect(shell && isAlive(shell.pid)).toBe(false)
  })

  test('a call that takes longer than the idle time is not cut', async () => {
    await start({ idleSessionMs: 500 })
    const { client, transport } = await connect()
    const sessionId = await openShell(client)
    await send(client, sessionId, 'sleep 1.2')
    expect(endpoint.sessionCount).toBe(1)
    await transport.terminateSession()
    await client.close()
  })

  test('ids cannot be guessed and are unknown afterwards', async () => {
    await start()
    const [a, b] = [await openRawSession(), await openRawSession()]
    expect(a).toMatch(/^[\w-]{43}$/)
    expect(a).not.toBe(b)
    expect((await ask('POST', { ...protocolHeaders(), 'mcp-session-id': a }, ping)).status).toBe(200)
    expect((await ask('DELETE', { ...protocolHeaders(), 'mcp-session-id': a })).status).toBe(200)
    const gone = await ask('POST', { ...protocolHeaders(), 'mcp-session-id': a }, ping)
    expect({ status: gone.status, ...JSON.parse(gone.body) }).toMatchObject({ status: 404, error: { code: -32001 } })
  })
})

describe('refused', () => {
  test.each([
    ['no token', () => ({ authorization: '' }), 401],
    ['a wrong token', () => ({ authorization: 'Bearer wrong' }), 401],
    ['the token under another scheme', () => ({ authorization: `Basic ${endpoint.token}` }), 401],
    ['a token with something after it', () => ({ authorization: `Bearer ${endpoint.token}x` }), 401],
    ['a foreign origin', () => ({ origin: 'https://evil.example' }), 403],
    ['a null origin', () => ({ origin: 'null' }), 403],
    ['an origin that only begins like an allowed one', () => ({ origin: 'http://good.example.evil.example' }), 403],
    ['a wrong host, as after DNS rebinding', () => ({ host: 'evil.example' }), 403],
    ['a loopback host with another port', () => ({ host: 'localhost:1' }), 403],
  ])('%s', async (_, headers, status) => {
    await start({ allowedOrigins: ['http://good.example'] })
    const answer = await ask('POST', { ...protocolHeaders(), ...headers() }, initialize)
    expect(answer.status).toBe(status)
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    expect(answer.headers['mcp-session-id']).toBeUndefined()
    expect(endpoint.sessionCount).toBe(0)
  })

  test.each([
    ['malformed JSON', () => ['{', {}], 400, -32700],
    ['JSON that is no message', () => ['[1]', {}], 400, -32700],
    ['an empty body', () => ['', {}], 400, -32700],
    ['another content type', () => [initialize, { 'content-type': 'text/plain' }], 415, -32000],
    ['an Accept header without event streams', () => [initialize, { accept: 'application/json' }], 406, -32000],
    ['a first request that does not initialize', () => [ping, {}], 400, -32000],
    ['an unknown session', () => [ping, { 'mcp-session-id': 'x'.repeat(43) }], 404, -32001],
    ['a body beyond the limit', () => [`"${'x'.repeat(5000)}"`, {}], 413, -32000],
  ] satisfies [string, () => [string, Record<string, string>], number, number][])(
    '%s',
    async (_, make, status, code) => {
      await start({ maxMessageBytes: 4096 })
      const [body, headers] = make()
      const answer = await ask('POST', { ...protocolHeaders(), ...headers }, body)
      expect({ status: answer.status, code: JSON.parse(answer.body).error.code }).toEqual({ status, code })
      expect(endpoint.sessionCount).toBe(0)
    },
  )

  test('a body beyond the limit is not read when it comes in chunks', async () => {
    await start({ maxMessageBytes: 4096 })
    const answer = await ask(
      'POST',
      { ...protocolHeaders(), 'transfer-encoding': 'chunked' },
      Buffer.alloc(1_000_000, 'x'),
    )
    expect(answer.status).toBe(413)
  })

  test('another path, another method, a stream without a session', async () => {
    await start()
    expect((await ask('POST', protocolHeaders(), initialize, '/')).status).toBe(404)
    const put = await ask('PUT', protocolHeaders(), initialize)
    expect([put.status, put.headers.allow]).toEqual([405, 'GET, POST, DELETE'])
    expect((await ask('GET', protocolHeaders())).status).toBe(400)
    expect((await ask('DELETE', protocolHeaders())).status).toBe(400)
  })

  test('more sessions than configured, until one ends', async () => {
    await start({ maxSessions: 2 })
    const first = await openRawSession()
    await openRawSession()
    expect((await ask('POST', protocolHeaders(), initialize)).status).toBe(503)
    await ask('DELETE', { ...protocolHeaders(), 'mcp-session-id': first })
    expect((await ask('POST', protocolHeaders(), initialize)).status).toBe(200)
  })

  test('a client with a wrong token hears it from the SDK', async () => {
    await start()
    await expect(connect({ token: 'x'.repeat(43) })).rejects.toThrow(/Send the token of this server/)
  })
})

test('a page of an allowed origin is let in, preflight included', async () => {
  await start({ allowedOrigins: ['http://good.example'] })
  const origin = 'http://good.example'
  const preflight = await ask('OPTIONS', { origin, 'access-control-request-method': 'POST' })
  expect(preflight).toMatchObject({ status: 204, headers: { 'access-control-allow-origin': origin } })
  const answer = await ask('POST', { ...protocolHeaders(), origin }, initialize)
  expect(answer).toMatchObject({ status: 200, headers: { 'access-control-expose-headers': 'mcp-session-id' } })
  expect((await ask('OPTIONS', { origin: 'http://evil.example' })).status).toBe(403)
})

test('every loopback name is answered to, and configured ones', async () => {
  await start({ allowedHosts: ['terminals.test'] })
  const { port } = new URL(endpoint.url)
  for (const host of [
    `localhost:${port}`,
    `127.0.0.1:${port}`,
    `[::1]:${port}`,
    `LOCALHOST:${port}`,
    'terminals.test',
  ]) {
    expect((await ask('POST', { ...protocolHeaders(), host }, initialize)).status, host).toBe(200)
  }
})

test('closing ends sessions with open streams and running calls', async () => {
  await start()
  const { client } = await connect()
  const sessionId = await openShell(client)
  const sleeping = client.callTool({ name: 'terminal_send', arguments: { sessionId, text: 'sleep 600' } })
  sleeping.catch(() => undefined)
  await waitUntil('sleep runs', () => listDescendants(process.pid).some(({ command }) => command === 'sleep'))
  await endpoint.close()
  expect(listDescendants(process.pid).filter(({ command }) => command === 'sleep' || command === 'bash')).toEqual([])
  await client.close()
})

test('as a plugin it comes with its composition, and goes with it', async () => {
  const fiber = house.root.plugin(plugin, plugin.Config.parse({ token: 'a-token-of-the-deployment' }))
  await fiber
  endpoint = house.root.mcpHttp
  expect(endpoint).toMatchObject({ token: 'a-token-of-the-deployment', isTokenMinted: false })
  const { client } = await connect()
  await openShell(client)
  await fiber.dispose()
  expect(house.root.terminals.observers.list()).toEqual([])
  await client.close()
})

test.each([
  [{ host: '0.0.0.0' }, /host.*not a loopback address/s],
  [{ host: '192.168.0.7' }, /not a loopback address/],
  [{ token: 'short' }, /token.*16 to 512/s],
  [{ idleSessionMs: 1 }, /idleSessionMs/],
  [{ pathh: '/x' }, /pathh/],
])('the configuration %j is refused, naming the field', (config, message) => {
  expect(() => HttpConfig.parse(config)).toThrow(message)
})
