/** Plugin: `ctx.agentLoop`, which runs a prompt to its end with a model or a script. */
import { fileURLToPath } from 'node:url'
import type { Agent } from '@agent-terminals/agents/contract'
import type { Context } from '@deepseek-ai/cordis'
import type { Config } from './config.js'
import type { AgentLoopService } from './contract.js'
import { runTurn } from './loop.js'
import { resolveModel } from './model.js'

export { Config } from './config.js'
export * from './contract.js'
export { Script, type ScriptInput } from './script/format.js'
export { loadScript, ScriptFileError } from './script/load.js'
export { recordScript } from './script/record.js'

export const name = 'agent-loop'
export const inject = ['agents', 'tools']

/** The directory of the composition, or where the process runs when there is none. */
function baseDirectoryOf({ baseUrl }: Context): string {
  return baseUrl?.startsWith('file:') ? fileURLToPath(baseUrl) : process.cwd()
}

export function apply(ctx: Context, config: Config): void {
  const parts = { tools: ctx.tools, config, createModel: resolveModel(config.model, baseDirectoryOf(ctx)) }
  const running = new Map<Agent, AbortController>()

  const service: AgentLoopService = {
    async run(agent, prompt, options = {}) {
      if (running.has(agent)) {
        const message = 'The agent still works on its last prompt. Wait for it, or cancel it.'
        return { kind: 'failed', code: 'TURN_ACTIVE', message }
      }
      if (!agent.alive) return { kind: 'cancelled' }
      const ended = new AbortController()
      running.set(agent, ended)
      const signal = options.signal ? AbortSignal.any([options.signal, ended.signal]) : ended.signal
      const turn = runTurn(parts, agent, prompt, { ...options, signal })
      const release = agent.ctx.effect(
        () => async () => {
          ended.abort(new Error('the agent has ended'))
          await turn
        },
        'agent-loop turn',
      )
      try {
        return await turn
      } finally {
        running.delete(agent)
        release()
      }
    },
  }
  ctx.provide('agentLoop', service)
  ctx.effect(
    () => () => {
      for (const turn of running.values()) turn.abort(new Error('the agent loop is shutting down'))
    },
    'agent-loop turns',
  )
}
