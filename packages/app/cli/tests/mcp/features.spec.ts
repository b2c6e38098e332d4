import { fileURLToPath } from 'node:url'
import { useBaseline } from '@agent-terminals/testing'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { expect, test } from 'vitest'

useBaseline()

const bin = fileURLToPath(new URL('../../bin/agent-terminals.js', import.meta.url))

test('an MCP client drives an editor by keys and sees its screen', async () => {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [bin, 'mcp'] }))
  try {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('terminal_resize')
    const call = async (name: string, args: Record<string, unknown>) =>
      (await client.callTool({ name, arguments: args })) as {
        readonly isError?: boolean
        readonly structuredContent?: Record<string, unknown>
        readonly content: readonly { readonly text?: string }[]
      }
    const { structuredContent } = await call('terminal_open', { type: 'shell' })
    const sessionId = structuredContent?.sessionId
    const opened = await call('terminal_send', { sessionId, text: 'vim -n -u NONE -i NONE -N' })
    expect(opened.structuredContent?.state).toBe('fullscreen')
    await call('terminal_send', { sessionId, keys: ['i', { text: 'hello from keys' }, 'esc'] })
    const screen = await call('terminal_read', { sessionId, view: 'screen' })
    expect(screen.content.map(({ text }) => text).join('\n')).toContain('hello from keys')
    const left = await call('terminal_send', { sessionId, keys: [{ text: ':q!' }, 'enter'] })
    expect(left.structuredContent?.state).toBe('prompt')
  } finally {
    await client.close()
  }
})
