import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AhpClient, openWebSocket, RemoteTerminal, type WebSocketConstructor } from '@agent-terminals/ahp/client'
import { rawStream } from '@agent-terminals/ahp/protocol'
import { useBaseline, waitUntil } from '@agent-terminals/testing'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { call, createClient, openShell, textOf } from '../mcp/mcp-server.js'
import { type Serving, startServing } from './server.js'

useBaseline()

let workspace: string
beforeAll(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'serve-mcp-')))
})
afterAll(() => rmSync(workspace, { recursive: true }))

async function connectMcp({ said: { mcp } }: Serving) {
  const client = createClient()
  const transport = new StreamableHTTPClientTransport(new URL(mcp?.url ?? ''), {
    requestInit: { headers: { authorization: `Bearer ${mcp?.token}` } },
  })
  await client.connect(transport as Transport)
  return client
}

async function connectPerson({ said: { ahp } }: Serving): Promise<AhpClient> {
  const address = `${ahp.url}?tkn=${ahp.token}`
  const client = new AhpClient({
    open: () => openWebSocket(address, { WebSocket: WebSocket as unknown as WebSocketConstructor }),
  })
  await client.waitForReady()
  return client
}

test('a person sees what an MCP client does, takes the keyboard and gives it back', async () => {
  const server = await startServing(['--mcp-http', '--root', workspace])
  const [agent, person] = [await connectMcp(server), await connectPerson(server)]
  const sessionId = await openShell(agent)
  const terminal = new RemoteTerminal(person, await person.subscribeTerminal(`ahp-terminal:/${sessionId}`))
  const seen = () => rawStream(terminal.view.state?.content ?? [])
  const send = (text: string) => call(agent, 'terminal_send', { sessionId, text })

  expect(textOf(await send('pwd'))).toContain(workspace)
  await waitUntil('the person sees it', () => seen().includes(workspace))

  const agents = terminal.claim
  if (agents === undefined) throw new Error('the terminal has no claim')
  expect(await terminal.takeOver()).toMatchObject({ kind: 'accepted' })
  const refused = await send('echo from the agent')
  expect(refused.isError).toBe(true)
  expect(refused._meta?.['agent-terminals/code']).toBe('CLAIMED_BY_CLIENT')
  await terminal.input('echo "from the " person\r')
  await waitUntil('the person works', () => /from the {2}person/.test(seen()))

  expect(await terminal.handOver(agents)).toMatchObject({ kind: 'accepted' })
  expect(textOf(await send('echo "again the " agent'))).toContain('again the  agent')
  await agent.close()
  person.close()
  expect(await server.stop()).toBe(130)
})
