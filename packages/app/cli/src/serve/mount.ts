/** What `serve` adds to a composition: the AHP host, the viewer on its port, an MCP endpoint. What is there already is used. */
import * as ahp from '@agent-terminals/ahp/host'
import type { HttpEndpoint } from '@agent-terminals/mcp'
import type {} from '@agent-terminals/mcp/http'
import * as viewer from '@agent-terminals/viewer'
import type { Context } from '@deepseek-ai/cordis'
import { CliError } from '../errors.js'
import { checkServing } from '../mcp/check-serving.js'
import { startHttp } from '../mcp/http.js'
import { toHttpConfig } from '../mcp/options.js'
import { parseOptions } from '../parse-options.js'
import type { ServeOptions } from './options.js'
import { loadToken } from './token-file.js'

const ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Choose another port with --port, or leave it out to take a free one.',
  EADDRNOTAVAIL: 'That is not an address of this machine. Leave --host out to listen on 127.0.0.1.',
  ENOTFOUND: 'That is not an address of this machine. Leave --host out to listen on 127.0.0.1.',
  EACCES: 'Ports below 1024 belong to the system. Choose another with --port.',
}

function toListenError(error: unknown): CliError {
  const message = error instanceof Error ? error.message : String(error)
  const advice = ADVICE[(error as NodeJS.ErrnoException).code ?? '']
  const text = `The AHP host did not start: ${message}.${advice === undefined ? '' : ` ${advice}`}`
  return new CliError('LISTEN_FAILED', text, { cause: error })
}

function toViewerError(error: unknown): CliError {
  const message = error instanceof Error ? error.message : String(error)
  return new CliError('LISTEN_FAILED', `The web viewer did not start: ${message}`, { cause: error })
}

async function orThrow(started: PromiseLike<unknown>, wrap: (error: unknown) => Error): Promise<void> {
  try {
    await started
  } catch (error) {
    throw wrap(error)
  }
}

export interface MountedHost {
  readonly ahp: ahp.AhpService & { readonly url: string }
  readonly viewer: viewer.ViewerService
}

/** @throws CliError `CONFIG_INVALID` | `OPTION_INVALID` | `LISTEN_FAILED`. */
export async function mountHost(ctx: Context, { host, port, tokenFile }: ServeOptions): Promise<MountedHost> {
  const given = { host, port, token: tokenFile === undefined ? undefined : loadToken(tokenFile) }
  if (ctx.get('ahp') === undefined) await orThrow(ctx.plugin(ahp, parseOptions(ahp.Config, given)), toListenError)
  else if (Object.values(given).some((value) => value !== undefined)) {
    throw new CliError(
      'CONFIG_INVALID',
      'The composition mounts the AHP host itself. Set host, port and token there, or leave out --host, --port and --token-file.',
    )
  }
  if (ctx.get('viewer') === undefined) await orThrow(ctx.plugin(viewer, viewer.Config.parse({})), toViewerError)
  const { url } = ctx.ahp
  if (url === undefined) throw new CliError('CONFIG_INVALID', 'The AHP host of the composition does not listen.')
  return { ahp: { ...ctx.ahp, url }, viewer: ctx.viewer }
}

const REMOTE_MCP_ADVICE =
  '--mcp-http listens on loopback only. If others are meant, mount @agent-terminals/mcp/http with allowRemote in a composition (--config).'

/** The MCP endpoint of the composition, or one of our own when `--mcp-http` asks for it. Ends with the composition. */
export async function mountMcp(
  ctx: Context,
  { mcpHttp, mcpToken, sandbox, root }: ServeOptions,
  onNotice: (notice: string) => void,
): Promise<HttpEndpoint | undefined> {
  const mounted = ctx.get('mcpHttp')
  if (mcpHttp === undefined) return mounted
  if (mounted !== undefined) {
    throw new CliError('CONFIG_INVALID', 'The composition has an MCP endpoint itself. Leave out --mcp-http.')
  }
  const config = toHttpConfig({ sandbox, root, token: mcpToken }, mcpHttp, REMOTE_MCP_ADVICE)
  await checkServing(ctx, config)
  const endpoint = await startHttp(ctx, config, onNotice)
  ctx.effect(() => () => endpoint.close(), 'serve mcp endpoint')
  return endpoint
}
