#!/usr/bin/env node
// Before the rest is loaded, and after a command has ended, there is nothing to close. In between the command answers itself.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(name, () => {
    if (process.listenerCount(name) > 1) return
    process.stderr.write(`agent-terminals: ${name}: nothing is running.\n`)
    process.exit(130)
  })
}
const { main } = await import('../dist/index.js')
await main(process.argv.slice(2))
