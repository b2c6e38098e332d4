/** A session of ours in this process: the real plugins, no sandbox. */
import * as subprocess from '@agent-terminals/subprocess'
import * as terminal from '@agent-terminals/terminal'
import * as terminalBash from '@agent-terminals/terminal-bash'
import { Context } from '@deepseek-ai/cordis'

const unconfined = {
  resolve: () => ({ mode: 'danger-full-access', workspaceRoot: '/', network: 'allow' }),
  setMode() {},
  fence: () => () => {},
}

export async function openTerminal(config, size) {
  const ctx = new Context()
  ctx.provide('sandboxPolicy', unconfined)
  await ctx.plugin(subprocess, {})
  await ctx.plugin(terminal, {})
  await ctx.plugin(terminalBash, config)
  const owner = { id: 'bench', ctx, cwd: '/' }
  const { sessionId } = await ctx.terminals.spawn(owner, { type: 'shell', size })
  return {
    async send(text, timeoutMs) {
      const outcome = await ctx.terminals.send(owner, sessionId, { text, submit: true, timeoutMs }).outcome
      if (outcome.kind !== 'settled') throw new Error(`the send ended as ${outcome.kind}`, { cause: outcome.error })
      return outcome.result
    },
    read: (request) => ctx.terminals.read(owner, sessionId, request),
    async close() {
      await ctx.terminals.close(owner, sessionId)
      await ctx.fiber.dispose()
    },
  }
}
