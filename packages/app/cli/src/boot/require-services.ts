/** What a command needs from a composition that it did not write. */
import type { Context } from '@deepseek-ai/cordis'
import { CliError } from '../errors.js'

/** Services that commands build on, and the package that provides each. */
const PROVIDERS = {
  agentLoop: '@agent-terminals/agent-loop',
  agents: '@agent-terminals/agents',
  terminals: '@agent-terminals/terminal',
  tools: '@agent-terminals/tools',
} as const

/** @throws CliError `CONFIG_INVALID` naming what to add. */
export function requireServices(ctx: Context, services: readonly (keyof typeof PROVIDERS)[]): void {
  const missing = services.filter((service) => ctx.get(service) === undefined)
  if (missing.length === 0) return
  const additions = missing.map((service) => PROVIDERS[service]).join(', ')
  throw new CliError('CONFIG_INVALID', `The composition lacks what this command needs. Add ${additions}.`)
}
