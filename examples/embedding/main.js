// An own Cordis context: host services, the three packages of the terminal family, a tool of one's own, one agent.
import * as agents from '@agent-terminals/agents'
import * as policy from '@agent-terminals/sandbox/policy'
import * as subprocess from '@agent-terminals/subprocess'
import * as terminal from '@agent-terminals/terminal'
import * as terminalBash from '@agent-terminals/terminal-bash'
import * as toolTerminal from '@agent-terminals/tool-terminal'
import * as tools from '@agent-terminals/tools'
import { Context } from '@deepseek-ai/cordis'
import { z } from 'zod'

const ctx = new Context()
await ctx.plugin(policy, { mode: 'danger-full-access' }) // waits for ctx.agents, like everything here for what it needs
for (const plugin of [agents, tools, subprocess, terminal, terminalBash, toolTerminal]) await ctx.plugin(plugin, {})

ctx.tools.register({
  name: 'double',
  description: 'Double a number.',
  input: z.strictObject({ value: z.number() }),
  execute: async ({ value }) => ({ content: [{ type: 'text', text: String(value * 2) }] }),
})

const agent = await ctx.agents.create({ cwd: process.cwd() })
const call = async (name, args) => (await ctx.tools.execute({ agent, name, args })).result

const { sessionId } = (await call('terminal_open', { type: 'shell' })).structured
const [doubled] = (await call('double', { value: 21 })).content
const sent = await call('terminal_send', { sessionId, text: `echo "the answer is ${doubled.text}"` })
console.log(sent.content[0].text.trim())

await agent.dispose() // closes the terminal and everything in it
await ctx.fiber.dispose()
