/** The terminal tools as a plugin: six tools and their guidance, for as long as it is mounted. */
import type {} from '@agent-terminals/agents/contract'
import type {} from '@agent-terminals/jobs/contract'
import type {} from '@agent-terminals/terminal'
import type {} from '@agent-terminals/tools/contract'
import type { Context } from '@deepseek-ai/cordis'
import { Config, type ToolTerminalConfig } from './config.js'
import { createGuidance } from './guidance.js'
import { createTools } from './tools/index.js'
import type { Toolkit } from './tools/toolkit.js'

export { MIN_RESULT_BYTES, type ToolTerminalConfig } from './config.js'
export { TOOL_TERMINAL_ERRORS, ToolTerminalError, type ToolTerminalErrorCode } from './errors.js'
export { createGuidance } from './guidance.js'
export { createTools } from './tools/index.js'
export type { Toolkit } from './tools/toolkit.js'
export { Config }

export const name = 'tool-terminal'
export const inject = ['tools', 'terminals']

export function apply(ctx: Context, config: ToolTerminalConfig): void {
  const kit: Toolkit = {
    config,
    get terminals() {
      return ctx.terminals
    },
    now: () => performance.now(),
    findJobs: () => ctx.get('jobs'),
    onTerminalEvent: (id, listener) =>
      ctx.on('terminal/event', (each, event) => {
        if (each === id) listener(event)
      }),
  }
  ctx.effect(function* () {
    for (const tool of createTools(kit)) yield ctx.tools.register(tool)
    yield ctx.tools.contribute(createGuidance(config))
  }, 'tool-terminal')
}
