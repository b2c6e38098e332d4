/** Plugin: the terminal backend `shell`. */
import type {} from '@agent-terminals/sandbox/contract'
import type {} from '@agent-terminals/subprocess/contract'
import type {} from '@agent-terminals/terminal'
import type { Context } from '@deepseek-ai/cordis'
import { createShellBackend } from './backend.js'
import type { Config } from './config.js'
import { fenceOpenTerminals } from './sandbox.js'
import { systemClock } from './session/clock.js'

export { Config } from './config.js'

export const name = 'terminal-bash'
export const inject = ['terminals', 'subprocess', 'sandboxPolicy']

export function apply(ctx: Context, config: Config): void {
  if (process.platform === 'win32') {
    throw new Error('terminal-bash needs a Unix PTY and bash. Windows is not supported: run it in WSL.')
  }
  const logger = ctx.logger(name)
  const isDebug = config.debug || (process.env.AGENT_TERMINALS_DEBUG ?? '') !== ''
  const backend = createShellBackend(
    {
      subprocess: ctx.subprocess,
      sandboxPolicy: ctx.sandboxPolicy,
      sandbox: () => ctx.get('sandbox'),
      clock: systemClock,
      debug: isDebug ? (text) => logger.info('%s', text) : undefined,
    },
    config,
  )
  ctx.effect(function* () {
    yield fenceOpenTerminals(ctx.sandboxPolicy, ctx.terminals)
    yield ctx.terminals.registerBackend(backend)
  }, 'terminal-bash')
}
