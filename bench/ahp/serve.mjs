/** The host as `agent-terminals serve` mounts it, without a sandbox, with one terminal of a client. */
import { AhpClient, openWebSocket } from '@agent-terminals/ahp/client'
import * as ahp from '@agent-terminals/ahp/host'
import * as subprocess from '@agent-terminals/subprocess'
import * as terminal from '@agent-terminals/terminal'
import * as terminalBash from '@agent-terminals/terminal-bash'
import { Context } from '@deepseek-ai/cordis'
import { WebSocket } from 'ws'

export const URI = 'ahp-terminal:/bench'

const unconfined = {
  resolve: () => ({ mode: 'danger-full-access', workspaceRoot: '/', network: 'allow' }),
  setMode() {},
  fence: () => () => {},
}

export async function serve() {
  const ctx = new Context()
  ctx.provide('sandboxPolicy', unconfined)
  await ctx.plugin(subprocess, {})
  await ctx.plugin(terminal, {})
  await ctx.plugin(terminalBash, {})
  await ctx.plugin(ahp, ahp.Config.parse({}))
  const address = `${ctx.ahp.url}?tkn=${ctx.ahp.token}`
  const client = new AhpClient({ open: () => openWebSocket(address, { WebSocket }) })
  await client.waitForReady()
  await client.createTerminal({ uri: URI, cols: 200, rows: 50 })
  return {
    address,
    type: (data) => void client.dispatch(URI, { type: 'terminal/input', data }),
    async close() {
      client.close()
      await ctx.fiber.dispose()
    },
  }
}
