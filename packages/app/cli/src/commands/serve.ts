/** `agent-terminals serve`: terminals for clients that speak AHP, over a WebSocket. */
import * as ahp from '@agent-terminals/ahp/host'
import type { Command } from 'commander'
import { z } from 'zod'
import { bootComposition, type Composition } from '../boot/boot.js'
import type { CommandContext } from '../command-context.js'
import { interactiveConfigFile } from '../default-config.js'
import { CliError } from '../errors.js'
import { watchInterrupt } from '../interrupt.js'
import { type Stdout, withStdout } from '../stdout.js'

export interface ServeOptions {
  readonly configFile?: string | undefined
  readonly host?: string | undefined
  readonly port?: number | undefined
  readonly isVerbose: boolean
}

function parseConfig(config: z.input<typeof ahp.Config>): ahp.Config {
  const parsed = ahp.Config.safeParse(config)
  if (parsed.success) return parsed.data
  throw new CliError('CONFIG_INVALID', `The AHP host cannot be configured so:\n${z.prettifyError(parsed.error)}`)
}

/** The host of the composition, or one of our own where it has none. */
async function mountHost({ ctx }: Composition, { host, port }: ServeOptions): Promise<ahp.AhpService> {
  if (ctx.get('ahp') !== undefined) {
    if (host === undefined && port === undefined) return ctx.ahp
    throw new CliError(
      'CONFIG_INVALID',
      'The composition mounts the AHP host itself. Set host and port there, or leave out --host and --port.',
    )
  }
  const config = parseConfig({ ...(host === undefined ? {} : { host }), ...(port === undefined ? {} : { port }) })
  try {
    await ctx.plugin(ahp, config)
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    throw new CliError('LISTEN_FAILED', `The AHP host did not start: ${detail}`, { cause: error })
  }
  return ctx.ahp
}

/** The token is shown here and nowhere else. */
function renderAddress({ url, token }: ahp.AhpService): string {
  if (url === undefined) return 'The AHP host of this composition does not listen.\n'
  const address = `${url}?tkn=${encodeURIComponent(token)}`
  return `Serving terminals over AHP at ${url}\nToken, shown once: ${token}\nConnect to:        ${address}\nCtrl-C ends it.\n`
}

/** @returns the exit code once a signal has come and nothing is left. */
export function runServe(options: ServeOptions): Promise<number> {
  return withStdout((stdout) => serve(options, stdout))
}

async function serve(options: ServeOptions, stdout: Stdout): Promise<number> {
  const interrupt = watchInterrupt()
  try {
    const composition = await bootComposition({
      configFile: options.configFile ?? interactiveConfigFile,
      isVerbose: options.isVerbose,
    })
    try {
      stdout.write(renderAddress(await mountHost(composition, options)))
      const ending = AbortSignal.any([interrupt.signal, stdout.lost])
      if (!ending.aborted) {
        await new Promise<void>((resolve) => {
          ending.addEventListener('abort', () => resolve(), { once: true })
        })
      }
    } finally {
      await composition.dispose()
    }
    return 0
  } finally {
    interrupt.release()
  }
}

function parsePort(text: string): number {
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new CliError('CONFIG_INVALID', `--port must be a whole number from 0 to 65535, not ${JSON.stringify(text)}.`)
}

export function addServeCommand(program: Command, { exit, isVerbose }: CommandContext): void {
  program
    .command('serve')
    .description('serve terminals to AHP clients over a WebSocket on this machine')
    .option('--config <file>', 'composition to boot instead of the built-in one')
    .option('--port <number>', 'port to listen on instead of a free one')
    .option(
      '--host <address>',
      'address to listen on instead of 127.0.0.1; others than loopback need TLS, see docs/ahp.md',
    )
    .addHelpText('after', '\nExample:\n  agent-terminals serve --port 7681')
    .action(async (options: { config?: string; port?: string; host?: string }) => {
      exit(
        await runServe({
          configFile: options.config,
          host: options.host,
          port: options.port === undefined ? undefined : parsePort(options.port),
          isVerbose: isVerbose(),
        }),
      )
    })
}
