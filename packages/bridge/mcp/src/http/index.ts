/** Plugin: `ctx.mcpHttp`, the MCP endpoint of a composition over streamable HTTP. */
import type { Context } from '@deepseek-ai/cordis'
import type { HttpConfig } from '../config.js'
import { HOST_SERVICES } from '../host.js'
import { type HttpEndpoint, startHttpEndpoint } from './endpoint.js'

export { HttpConfig as Config } from '../config.js'
export type { HttpEndpoint } from './endpoint.js'

export const name = 'mcp-http'
export const inject = [...HOST_SERVICES]

export async function apply(ctx: Context, config: HttpConfig): Promise<void> {
  const endpoint = await startHttpEndpoint(ctx, { config, onNotice: (notice) => ctx.logger.warn(notice) })
  ctx.effect(() => () => endpoint.close(), 'mcp-http endpoint')
  ctx.provide('mcpHttp', endpoint)
}

declare module '@deepseek-ai/cordis' {
  interface Context {
    mcpHttp: HttpEndpoint
  }
}
