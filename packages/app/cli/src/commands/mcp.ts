/** `agent-terminals mcp`: the tools of a composition for MCP clients, on standard input and output or over HTTP. */

import { resolve } from 'node:path'
import { type Connection, serveStdio, startHttpEndpoint } from '@agent-terminals/mcp'
import { SANDBOX_MODES, type SandboxMode } from '@agent-terminals/sandbox/contract'
import type { Context } from '@deepseek-ai/cordis'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { bootComposition } from '../boot/boot.js'
import type { CommandContext } from '../command-context.js'
import { interactiveConfigFile } from '../default-config.js'
import { CliError } from '../errors.js'
import { type Interrupt, watchInterrupt } from '../interrupt.js'
import { checkSandbox } from '../mcp/check-sandbox.js'
import { claimStdout } from '../mcp/claim-stdout.js'
import { type McpOptions, resolveRoot, toConnectionConfig, toHttpConfig } from '../mcp/options.js'
import { type Stdout, withStdout } from '../stdout.js'

const TOKEN_VARIABLE = 'AGENT_TERMINALS_MCP_TOKEN'

const INTERRUPTED = 130

/** @returns the exit code once the client has gone, or a signal has come, and nothing of it is left. */
export async function runMcp(options: McpOptions): Promise<number> {
  const configFile = resolve(options.configFile ?? interactiveConfigFile)
  const root = options.root === undefined ? undefined : resolveRoot(options.root)
  // A workspace root of `.` in a composition means the directory of the process.
  if (root !== undefined) process.chdir(root)
  const resolved = { ...options, root }
  const { http } = resolved
  const interrupt = watchInterrupt()
  try {
    const code = () => (interrupt.signal.aborted ? INTERRUPTED : 0)
    if (http !== undefined) {
      return await withStdout(async (stdout) => {
        await serveOverHttp(resolved, http, configFile, AbortSignal.any([interrupt.signal, stdout.lost]), stdout)
        return code()
      })
    }
    await serveOverStdio(resolved, configFile, interrupt)
    return code()
  } finally {
    interrupt.release()
  }
}

async function withComposition(
  { isVerbose }: McpOptions,
  configFile: string,
  serve: (ctx: Context) => Promise<void>,
): Promise<void> {
  const composition = await bootComposition({ configFile, isVerbose })
  try {
    await serve(composition.ctx)
  } finally {
    await composition.dispose()
  }
}

const note = (text: string) => void process.stderr.write(`agent-terminals mcp: ${text}\n`)

async function serveOverStdio(options: McpOptions, configFile: string, interrupt: Interrupt): Promise<void> {
  // First of all: whatever plugins print while they start must not reach the client.
  const stdout = claimStdout()
  const config = toConnectionConfig(options)
  try {
    await withComposition(options, configFile, async (ctx) => {
      await checkSandbox(ctx, config)
      const connection = await serveStdio(ctx, {
        input: process.stdin,
        output: stdout.output,
        config,
        onNotice: note,
      })
      await closeOnInterrupt(connection, interrupt)
    })
  } finally {
    process.stdin.pause()
    stdout.release()
    // Everything is closed; a client that reads nothing must not keep the process it asked to end.
    if (interrupt.signal.aborted && stdout.hasUnread) process.exit(INTERRUPTED)
  }
}

async function closeOnInterrupt(connection: Connection, { signal }: Interrupt): Promise<void> {
  const close = () => void connection.close().catch(() => undefined)
  if (signal.aborted) close()
  signal.addEventListener('abort', close, { once: true })
  await connection.ended
}

async function serveOverHttp(
  options: McpOptions,
  address: string | true,
  configFile: string,
  signal: AbortSignal,
  stdout: Stdout,
): Promise<void> {
  const config = toHttpConfig(options, address)
  await withComposition(options, configFile, async (ctx) => {
    await checkSandbox(ctx, config)
    const endpoint = await startHttpEndpoint(ctx, { config, onNotice: note }).catch((cause: Error) => {
      throw new CliError('LISTEN_FAILED', cause.message, { cause })
    })
    try {
      const token = endpoint.isTokenMinted ? endpoint.token : `(the value of ${TOKEN_VARIABLE})`
      // In one piece: a reader of the first line must not end the server with the second.
      stdout.write(`MCP endpoint: ${endpoint.url}\nAuthorization: Bearer ${token}\n`)
      if (!signal.aborted) await new Promise((done) => signal.addEventListener('abort', done, { once: true }))
    } finally {
      await endpoint.close()
    }
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
${TOKEN_VARIABLE} sets the token of the HTTP endpoint; without it a random one is printed once.

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
          token: process.env[TOKEN_VARIABLE],
          isVerbose: isVerbose(),
        }),
      )
    })
}
