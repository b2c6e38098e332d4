import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive, listDescendants, useBaseline, waitUntil } from '@agent-terminals/testing'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { INTERRUPTED_WORDS, runCli } from '../run-cli.js'
import { call, createClient, type HttpServer, openShell, startHttp, textOf } from './mcp-server.js'

useBaseline()

let workspace: string
beforeAll(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-http-')))
})
afterAll(() => rmSync(workspace, { recursive: true }))

async function connect({ url, token }: Pick<HttpServer, 'url' | 'token'>): Promise<Client> {
  const client = createClient()
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  })
  await client.connect(transport as Transport)
  return client
}

test('the address and the token are printed once, and let a client in', async () => {
  const server = await startHttp(workspace)
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/)
  expect(server.token).toMatch(/^[\w-]{43}$/)
  const client = await connect(server)
  const sessionId = await openShell(client)
  const { structuredContent } = await call(client, 'terminal_send', { sessionId, text: 'pwd; env' })
  expect(structuredContent?.text).toContain(`${workspace}\n`)
  expect(structuredContent?.text).not.toContain(server.token)
  await client.close()
  expect(await server.stop()).toBe(130)
  expect(server.stdout().split(server.token)).toHaveLength(2)
  expect(server.stderr()).toBe(INTERRUPTED_WORDS)
})

test('a token of the environment is used, not shown, and not passed on to terminals', async () => {
  const token = 'a-fixed-token-of-sixteen-and-more'
  const server = await startHttp(workspace, ['127.0.0.1:0'], { AGENT_TERMINALS_MCP_TOKEN: token })
  expect(server.stdout()).not.toContain(token)
  const client = await connect({ url: server.url, token })
  const sessionId = await openShell(client)
  expect(textOf(await call(client, 'terminal_send', { sessionId, text: 'env' }))).not.toContain(token)
  await client.close()
  await server.stop('SIGINT')
})

test('a signal closes the terminals of every session before the command ends', async () => {
  const server = await startHttp(workspace)
  const clients = [await connect(server), await connect(server)]
  for (const client of clients) await openShell(client)
  const started = listDescendants(server.child.pid ?? 0)
  expect(started.filter(({ command }) => command === 'bash').length).toBeGreaterThanOrEqual(2)
  expect(await server.stop()).toBe(130)
  expect(started.filter(({ pid }) => isAlive(pid))).toEqual([])
  for (const client of clients) await client.close()
})

test('kill -9 of a client leaves nothing once its session has been idle for the configured time', async () => {
  const server = await startHttp(workspace, ['--idle-minutes', '0.03'])
  const client = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
const client = new Client({ name: 'doomed', version: '1' })
await client.connect(new StreamableHTTPClientTransport(new URL(process.argv[1]), { requestInit: { headers: { authorization: 'Bearer ' + process.argv[2] } } }))
const { structuredContent } = await client.callTool({ name: 'terminal_open', arguments: { type: 'shell' } })
await client.callTool({ name: 'terminal_send', arguments: { sessionId: structuredContent.sessionId, text: 'nohup sleep 613 &' } })
void client.callTool({ name: 'terminal_send', arguments: { sessionId: structuredContent.sessionId, text: 'sleep 614' } })
console.log('ready')
`,
      server.url,
      server.token,
    ],
    { cwd: new URL('.', import.meta.url), stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await once(client.stdout, 'data')
  const sleeps = () => listDescendants(server.child.pid ?? 0).filter(({ command }) => command === 'sleep')
  await waitUntil('both sleeps run', () => sleeps().length === 2)
  client.kill('SIGKILL')
  await once(client, 'close')
  await waitUntil('its processes are gone', () =>
    listDescendants(server.child.pid ?? 0).every(({ command }) => command !== 'sleep' && command !== 'bash'),
  )
  await server.stop()
})

test('a port that is taken is said in one line', async () => {
  const server = await startHttp(workspace)
  const { port } = new URL(server.url)
  const { code, stdout, stderr } = await runCli(['mcp', '--http', port], { cwd: workspace })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^agent-terminals: 127\.0\.0\.1:\d+ cannot be listened on: .*EADDRINUSE.*Choose another port/)
  await server.stop()
})
