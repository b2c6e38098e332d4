/** `ctx.terminals`: persistent terminal sessions with exact owners. */
import type { Context } from '@deepseek-ai/cordis'
import type { Config as ServiceConfig } from './config.js'
import { TerminalSessionService } from './service.js'

export { Config } from './config.js'
export * from './errors.js'
export * from './types.js'
export type * from './views.js'
export { TerminalSessionService }

export const name = 'terminal'
export const inject: readonly string[] = []

export function apply(ctx: Context, config: ServiceConfig): void {
  new TerminalSessionService(ctx, config)
}
