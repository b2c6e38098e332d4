/** Plugin: `ctx.agents`, live agents with their own scope and session log. */
import type { Context } from '@deepseek-ai/cordis'
import type { Config } from './config.js'
import { createAgents } from './service.js'

export { Config } from './config.js'
export type * from './contract.js'
export { copyPlainJson, NotPlainJson, type PlainJson } from './core/plain-json.js'
export { AGENT_ERRORS, AgentCleanupError, AgentError, type AgentErrorCode } from './errors.js'

export const name = 'agents'

export function apply(ctx: Context, _config: Config): void {
  const { service, close } = createAgents(ctx)
  ctx.effect(() => close, 'agents')
  ctx.provide('agents', service)
}
