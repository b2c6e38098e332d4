/** The MCP endpoint over HTTP, as the commands that have one start it. */
import { type HttpConfig, type HttpEndpoint, startHttpEndpoint } from '@agent-terminals/mcp'
import type { Context } from '@deepseek-ai/cordis'
import { CliError } from '../errors.js'

/** Gives the token, so that it stands in no command line. */
export const MCP_TOKEN_VARIABLE = 'AGENT_TERMINALS_MCP_TOKEN'

/** @throws CliError `LISTEN_FAILED`. */
export async function startHttp(
  ctx: Context,
  config: HttpConfig,
  onNotice: (notice: string) => void,
): Promise<HttpEndpoint> {
  try {
    return await startHttpEndpoint(ctx, { config, onNotice })
  } catch (cause) {
    throw new CliError('LISTEN_FAILED', cause instanceof Error ? cause.message : String(cause), { cause })
  }
}
