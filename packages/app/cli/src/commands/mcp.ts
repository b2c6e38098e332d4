/** `agent-terminals mcp`: the tools of a composition for MCP clients, on standard input and output or over HTTP. */

import { resolve } from 'node:path'
import { serveStdio } from '@agent-terminals/mcp'
import { SANDBOX_MODES, type SandboxMode } from '@agent-terminals/sandbox/contract'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { BootOptions } from '../boot/boot.js'
import { waitForAbort, withComposition } from '../boot/with-composition.js'
import type { CommandContext } from '../command-context.js'
import { interactiveConfigFile } from '../default-config.js'
import { EXIT_CODES } from '../exit-codes.js'
import { checkServing } from '../mcp/check-serving.js'
import { claimStdout } from '../mcp/claim-stdout.js'
import { MCP_TOKEN_VARIABLE, startHttp } from '../mcp/http.js'
import { enterRoot, type McpOptions, toConnectionConfig, toHttpConfig } from '../mcp/options.js'
import { type Stdout, withStdout } from '../stdout.js'
import { tell, tellIfTyped } from '../tell.js'

/** @returns the exit code once the client has gone, or a signal has come, and nothing of it is left. */
export async function runMcp(options: McpOptions): Promise<number> {
  const configFile = resolve(options.configFile ?? interactiveConfigFile)
  const root = enterRoot(options.root)
  const boot = { configFile, isVerbose: options.isVerbose }
  const { http } = options
  if (http === undefined) return serveOverStdio({ ...options, root }, boot)
  return withStdout((stdout) => serveOverHttp({ ...options, root }, http, boot, stdout))
}

const note = (text: string) => tell(`mcp: ${text}`)

async function serveOverStdio(options: McpOptions, boot: BootOptions): Promise<number> {
  // First of all: whatever plugins print while they start must not reach the client.
  const stdout = claimStdout()
  const config = toConnectionConfig(options)
  let code: number | undefined
  try {
    code = await withComposition({
      boot,
      async run({ ctx }, signal) {
        await checkServing(ctx, config)
        tellIfTyped('an MCP client starts this command', 'docs/mcp.md')
        const connection = await serveStdio(ctx, {
          input: process.stdin,
          output: stdout.output,
          config,
          onNotice: note,
        })
        const close = () => void connection.close().catch(() => undefined)
        if (signal.aborted) close()
        signal.addEventListener('abort', close, { once: true })
        await connection.ended
        return EXIT_CODES.OK
      },
    })
    return code
  } finally {
    process.stdin.pause()
    stdout.release()
    // Everything is closed; a client that reads nothing must not keep the process it asked to end.
    if (code === EXIT_CODES.INTERRUPTED && stdout.hasUnread) process.exit(code)
  }
}

function serveOverHttp(
  options: McpOptions,
  address: string | true,
  boot: BootOptions,
  { write, lost }: Stdout,
): Promise<number> {
  const config = toHttpConfig(options, address, 'If that is meant, add --allow-remote.')
  return withComposition({
    boot,
    async run({ ctx }, signal) {
      await checkServing(ctx, config)
      const endpoint = await startHttp(ctx, config, note)
      try {
        const token = endpoint.isTokenMinted ? endpoint.token : `(the value of ${MCP_TOKEN_VARIABLE})`
        // In one piece: a reader of the first line must not end the server with the second.
        write(`MCP endpoint: ${endpoint.url}\nAuthorization: Bearer ${token}\n`)
        await waitForAbort(AbortSignal.any([signal, lost]))
      } finally {
        await endpoint.close()
      }
      return EXIT_CODES.OK
    },
  })
}

interface ParsedOptions {
  readonly config?: string
  readonly sandbox?: SandboxMode
  readonly root?: string
  readonly http?: string | true
  readonly allowOrigin?: string[]
  readonly allowHost?: string[]
  readonly allowRemote?: boolean
  readonly idleMinutes?: number
}

function parseMinutes(text: string): number {
  const minutes = Number(text)
  if (text.trim() !== '' && minutes > 0 && minutes <= 10_080) return minutes
  throw new InvalidArgumentError('It must be a number of minutes, at most 10080.')
}

export function addMcpCommand(program: Command, { exit, isVerbose }: CommandContext): void {
  program
    .command('mcp')
    .description('serve the terminal tools to an MCP client, on standard input and output or over HTTP')
    .option('--config <file>', 'composition to boot instead of the built-in one')
    .addOption(
      new Option(
        '--sandbox <mode>',
        'confinement of terminals (default: that of the composition, workspace-write)',
      ).choices(SANDBOX_MODES),
    )
    .option(
      '--root <directory>',
      "workspace (default: the client's first root inside the working directory, else that)",
    )
    .option('--http [address]', 'serve over HTTP on PORT or HOST:PORT (default: a free port of 127.0.0.1)')
    .option('--allow-origin <origins...>', 'let web pages of these origins in (HTTP)')
    .option('--allow-host <hosts...>', 'more values of the Host header to answer to (HTTP)')
    .option('--allow-remote', 'listen on an address that other machines can reach (HTTP, without TLS)')
    .option('--idle-minutes <minutes>', 'end HTTP sessions that nobody uses for so long (default: 30)', parseMinutes)
    .addHelpText(
      'after',
      `
${MCP_TOKEN_VARIABLE} sets the token of the HTTP endpoint; without it a random one is printed once.

Examples:
  agent-terminals mcp --root ~/project
  agent-terminals mcp --sandbox read-only
  agent-terminals mcp --http 8765`,
    )
    .action(async (options: ParsedOptions) => {
      const { config, sandbox, root, http, allowOrigin, allowHost, allowRemote, idleMinutes } = options
      exit(
        await runMcp({
          configFile: config,
          sandbox,
          root,
          http,
          allowedOrigins: allowOrigin,
          allowedHosts: allowHost,
          allowRemote,
          idleMinutes,
          token: process.env[MCP_TOKEN_VARIABLE],
          isVerbose: isVerbose(),
        }),
      )
    })
}
