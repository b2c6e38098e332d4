/** A whole composition over a real shell, without a sandbox unless asked for, and SDK clients connected to it. */
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as agents from '@agent-terminals/agents'
import * as jobs from '@agent-terminals/jobs'
import * as sandboxPolicy from '@agent-terminals/sandbox/policy'
import * as sandboxRunner from '@agent-terminals/sandbox/runner'
import * as subprocess from '@agent-terminals/subprocess'
import * as terminal from '@agent-terminals/terminal'
import * as terminalBash from '@agent-terminals/terminal-bash'
import * as toolTerminal from '@agent-terminals/tool-terminal'
import * as tools from '@agent-terminals/tools'
import { Context } from '@deepseek-ai/cordis'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { type CallToolResult, CallToolResultSchema, ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { ConnectionConfig } from '../src/config.js'
import { type Connection, openConnection } from '../src/connection/connection.js'
import { createHost } from '../src/host.js'

export interface House {
  readonly root: Context
  /** The workspace root of the policy. */
  readonly workspace: string
  connect(options?: ConnectOptions): Promise<Link>
  dispose(): Promise<void>
}

export interface ConnectOptions {
  readonly config?: Readonly<Record<string, unknown>>
  /** Directories the client calls its roots; no capability without. */
  readonly roots?: readonly string[]
}

/** One client with the server's end of its connection. */
export interface Link {
  readonly client: Client
  readonly connection: Connection
  readonly notices: readonly string[]
}

export interface HouseOptions {
  readonly mode?: 'read-only' | 'workspace-write' | 'danger-full-access'
  readonly backend?: Readonly<Record<string, unknown>>
}

export async function buildHouse({ mode = 'danger-full-access', backend = {} }: HouseOptions = {}): Promise<House> {
  const root = new Context()
  const workspace = await realpath(await mkdtemp(join(tmpdir(), 'mcp-')))
  await root.plugin(agents, {})
  await root.plugin(tools, tools.Config.parse({}))
  await root.plugin(jobs, jobs.Config.parse({}))
  await root.plugin(sandboxPolicy, sandboxPolicy.Config.parse({ mode, workspaceRoot: workspace }))
  await root.plugin(sandboxRunner, sandboxRunner.Config.parse({}))
  await root.plugin(subprocess, subprocess.Config.parse({}))
  await root.plugin(terminal, terminal.Config.parse({}))
  await root.plugin(terminalBash, terminalBash.Config.parse(backend))
  await root.plugin(toolTerminal, toolTerminal.Config.parse({}))
  return {
    root,
    workspace,
    connect: (options) => connect(root, options),
    async dispose() {
      await root.fiber.dispose()
      await rm(workspace, { recursive: true, force: true })
    },
  }
}

async function connect(root: Context, { config = {}, roots }: ConnectOptions = {}): Promise<Link> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const notices: string[] = []
  const connection = await openConnection({
    host: createHost(root),
    config: ConnectionConfig.parse(config),
    transport: ours,
    onNotice: (notice) => notices.push(notice),
  })
  const client = createClient(roots)
  await client.connect(theirs)
  return { client, connection, notices }
}

export function createClient(roots?: readonly string[]): Client {
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: roots ? { roots: { listChanged: true } } : {} },
  )
  if (roots) {
    client.setRequestHandler(ListRootsRequestSchema, () => ({
      roots: roots.map((path) => ({ uri: path.includes('://') ? path : pathToFileURL(path).href })),
    }))
  }
  return client
}

export async function call(client: Client, name: string, args: Record<string, unknown>): Promise<CallToolResult> {
  return CallToolResultSchema.parse(await client.callTool({ name, arguments: args }))
}

export const textOf = (result: CallToolResult): string =>
  result.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')

export async function openShell(client: Client, args: Record<string, unknown> = {}): Promise<string> {
  const result = await call(client, 'terminal_open', { type: 'shell', ...args })
  const sessionId = result.structuredContent?.sessionId
  if (typeof sessionId !== 'string') throw new Error(textOf(result))
  return sessionId
}

export async function send(client: Client, sessionId: string, text: string): Promise<CallToolResult> {
  return call(client, 'terminal_send', { sessionId, text })
}
