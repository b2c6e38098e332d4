/** `agent-terminals serve`: terminals in a browser, for AHP clients, and for MCP clients beside them. */
import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { SANDBOX_MODES, type SandboxMode } from '@agent-terminals/sandbox/contract'
import type { Context } from '@deepseek-ai/cordis'
import { type Command, Option } from 'commander'
import type { Composition } from '../boot/boot.js'
import { requireServices } from '../boot/require-services.js'
import { waitForAbort, withComposition } from '../boot/with-composition.js'
import type { CommandContext } from '../command-context.js'
import { interactiveConfigFile } from '../default-config.js'
import { EXIT_CODES } from '../exit-codes.js'
import { checkPeopleServing } from '../mcp/check-serving.js'
import { MCP_TOKEN_VARIABLE } from '../mcp/http.js'
import { enterRoot } from '../mcp/options.js'
import { renderAnnouncement, renderAnnouncementJson, renderLink } from '../serve/announce.js'
import { playDemo } from '../serve/demo/play.js'
import { watchLinkRequests } from '../serve/link-requests.js'
import { mountHost, mountMcp } from '../serve/mount.js'
import { checkOptions, parsePort, type ServeOptions } from '../serve/options.js'
import { type Stdout, withStdout } from '../stdout.js'
import { tell } from '../tell.js'

/** @returns the exit code once a signal has come, or nobody reads any more, and nothing is left. */
export function runServe(options: ServeOptions): Promise<number> {
  checkOptions(options)
  // Before the directory changes.
  const configFile = resolve(options.configFile ?? interactiveConfigFile)
  const tokenFile = options.tokenFile === undefined ? undefined : resolve(options.tokenFile)
  const resolved = { ...options, tokenFile, root: enterRoot(options.root) }
  return withStdout((stdout) =>
    withComposition({
      boot: { configFile, isVerbose: options.isVerbose },
      run: (composition, signal) => serve(resolved, composition, AbortSignal.any([signal, stdout.lost]), stdout),
    }),
  )
}

async function serve(
  options: ServeOptions,
  { ctx }: Composition,
  signal: AbortSignal,
  { write }: Stdout,
): Promise<number> {
  await checkPeopleServing(ctx)
  if (options.isDemo) requireServices(ctx, ['agents', 'terminals'])
  const { ahp, viewer } = await mountHost(ctx, options)
  const mcp = await mountMcp(ctx, options, (notice) => tell(`mcp: ${notice}`))
  const requests = watchLinkRequests(() => write(renderLink(viewer.createLink(), options.isJson)))
  try {
    const announcement = {
      link: viewer.createLink(),
      ahp: { url: ahp.url, token: ahp.token, tokenFile: options.tokenFile },
      mcp: mcp && {
        url: mcp.url,
        token: mcp.isTokenMinted ? mcp.token : undefined,
        tokenVariable: MCP_TOKEN_VARIABLE,
      },
      more: requests.how,
    }
    write(options.isJson ? renderAnnouncementJson(announcement) : renderAnnouncement(announcement))
    if (options.isDemo) await showDemo(ctx, signal)
    await waitForAbort(signal)
    return EXIT_CODES.OK
  } finally {
    requests.release()
  }
}

/** Play until the end. A demo that cannot go on does not end what else is served. */
async function showDemo(ctx: Context, signal: AbortSignal): Promise<void> {
  const pause = (ms: number) => setTimeout(ms, undefined, { signal })
  try {
    await playDemo({ ctx, signal, pause })
  } catch (error) {
    tell(`the demo has ended: ${error instanceof Error ? error.message : String(error)}`)
  }
}

interface ParsedOptions {
  readonly config?: string
  readonly port?: string
  readonly host?: string
  readonly tokenFile?: string
  readonly mcpHttp?: string | true
  readonly sandbox?: SandboxMode
  readonly root?: string
  readonly demo?: boolean
  readonly json?: boolean
}

export function addServeCommand(program: Command, { exit, isVerbose }: CommandContext): void {
  program
    .command('serve')
    .description('show terminals in a browser, and serve them to AHP and MCP clients')
    .option('--config <file>', 'composition to boot instead of the built-in one')
    .option('--port <number>', 'port to listen on instead of a free one')
    .option(
      '--host <address>',
      'address to listen on instead of 127.0.0.1; others than loopback need TLS, see docs/ahp.md',
    )
    .option('--token-file <file>', 'keep the token there, so that pages come back by themselves after a restart')
    .option('--demo', 'let a scripted agent work, so that there is something to see')
    .option('--mcp-http [address]', 'serve MCP clients too, on PORT or HOST:PORT (default: a free port of 127.0.0.1)')
    .addOption(new Option('--sandbox <mode>', 'confinement of terminals that MCP clients open').choices(SANDBOX_MODES))
    .option('--root <directory>', 'workspace (default: the working directory)')
    .option('--json', 'print links and addresses as lines of JSON')
    .addHelpText(
      'after',
      `
The link that is printed opens one page, once. Enter prints another; so does SIGUSR2.
${MCP_TOKEN_VARIABLE} sets the token of the MCP endpoint; without it a random one is printed once.

Examples:
  agent-terminals serve --demo
  agent-terminals serve --port 7681 --token-file ~/.agent-terminals-token
  agent-terminals serve --mcp-http 8765 --root ~/project`,
    )
    .action(async ({ config, port, demo, json, ...options }: ParsedOptions) => {
      exit(
        await runServe({
          ...options,
          configFile: config,
          port: port === undefined ? undefined : parsePort(port),
          mcpToken: process.env[MCP_TOKEN_VARIABLE],
          isDemo: demo === true,
          isJson: json === true,
          isVerbose: isVerbose(),
        }),
      )
    })
}
