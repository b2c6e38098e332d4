/** The built command line as an MCP server, and SDK clients that speak to it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { type CallToolResult, CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'

export const bin = fileURLToPath(new URL('../../bin/agent-terminals.js', import.meta.url))

export interface StdioServer {
  readonly client: Client
  readonly pid: number
  /** Everything on standard error so far. */
  stderr(): string
  close(): Promise<void>
}

export async function connectStdio(
  cwd: string,
  args: readonly string[] = [],
  client = createClient(),
): Promise<StdioServer> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, 'mcp', ...args],
    cwd,
    stderr: 'pipe',
  })
  let stderr = ''
  transport.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  await client.connect(transport)
  const { pid } = transport
  if (pid === null) throw new Error('the server has no process')
  return { client, pid, stderr: () => stderr, close: () => client.close() }
}

export const createClient = () => new Client({ name: 'test', version: '1' })

export interface HttpServer {
  readonly child: ChildProcess
  readonly url: string
  readonly token: string
  stdout(): string
  stderr(): string
  /** @returns the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

export async function startHttp(
  cwd: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<HttpServer> {
  const child = spawn(process.execPath, [bin, 'mcp', '--http', ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'close')
  let stdout = ''
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  const found = new Promise<{ url: string; token: string }>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString()
      const [, url, token] = /MCP endpoint: (\S+)\nAuthorization: Bearer (.+)\n/.exec(stdout) ?? []
      if (url !== undefined && token !== undefined) resolve({ url, token })
    })
    void exited.then(() => reject(new Error(`the server ended: ${stderr}`)))
  })
  const { url, token } = await found
  return {
    child,
    url,
    token,
    stdout: () => stdout,
    stderr: () => stderr,
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      await exited
      return child.exitCode
    },
  }
}

export async function call(client: Client, name: string, args: Record<string, unknown>): Promise<CallToolResult> {
  return CallToolResultSchema.parse(await client.callTool({ name, arguments: args }))
}

export const textOf = (result: CallToolResult): string =>
  result.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')

export async function openShell(client: Client): Promise<string> {
  const result = await call(client, 'terminal_open', { type: 'shell' })
  const sessionId = result.structuredContent?.sessionId
  if (typeof sessionId !== 'string') throw new Error(textOf(result))
  return sessionId
}
