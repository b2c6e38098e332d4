/** Program of a test: opens one terminal through the plugin and prints what came of it as JSON. */
import { Context } from '@deepseek-ai/cordis'
import * as plugin from '../../src/index.js'

const ctx = new Context()
const fiber = await ctx.plugin(plugin, plugin.Config.parse({}))
const [file = '/bin/true', ...args] = process.argv.slice(2)
try {
  const terminal = await ctx.subprocess.spawnTerminal({
    argv: [file, ...args],
    cwd: '/',
    size: { columns: 80, rows: 24 },
    terminalType: 'dumb',
  })
  console.log(JSON.stringify({ outcome: await terminal.exited }))
} catch (error) {
  const { code, message } = error as { readonly code?: string; readonly message: string }
  console.log(JSON.stringify({ code, message }))
}
await fiber.dispose()
