import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'

const client = new Client({ name: 'packed', version: '1.0.0' })
const args = ['node_modules/.bin/agent-terminals', 'mcp', '--sandbox', 'danger-full-access']
await client.connect(new StdioClientTransport({ command: process.execPath, args }))
const call = (name, given) => client.callTool({ name, arguments: given })
const { sessionId } = (await call('terminal_open', { type: 'shell' })).structuredContent
const { text } = (await call('terminal_send', { sessionId, text: 'echo $((6 * 7))' })).structuredContent
console.log(text.trim())
await client.close()
