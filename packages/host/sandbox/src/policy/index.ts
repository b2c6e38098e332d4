/** Plugin: `ctx.sandboxPolicy`, the mode of each session and the fence around changing it. */
import type { Agent } from '@agent-terminals/agents/contract'
import type { Context } from '@deepseek-ai/cordis'
import type { Config } from './config.js'
import { createPolicyService } from './service.js'

export { Config } from './config.js'

export const name = 'sandbox-policy'
export const inject = ['agents']

export function apply(ctx: Context, config: Config): void {
  const { service, checkChange, checkWorkspace } = createPolicyService(config)
  const releases = new Map<Agent, () => void>()

  const watch = (agent: Agent) => {
    releases.set(
      agent,
      agent.session.guard((type, data) => {
        if (type === 'sandbox/mode') checkChange(agent.session, (data as { readonly mode?: unknown }).mode)
        if (type === 'sandbox/workspace') {
          checkWorkspace(agent.session, (data as { readonly workspaceRoot?: unknown }).workspaceRoot)
        }
      }),
    )
  }
  const forget = (agent: Agent) => {
    releases.get(agent)?.()
    releases.delete(agent)
  }

  ctx.on('agent/created', watch)
  ctx.on('agent/disposed', forget)
  for (const agent of ctx.agents.list()) watch(agent)
  ctx.effect(
    () => () => {
      for (const agent of [...releases.keys()]) forget(agent)
    },
    'sandbox-policy guards',
  )
  ctx.provide('sandboxPolicy', service)
}
