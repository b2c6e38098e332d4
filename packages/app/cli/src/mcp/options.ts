/** From the options of `agent-terminals mcp` to configurations of the bridge. */
import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { ConnectionConfig, HttpConfig, isLoopback } from '@agent-terminals/mcp'
import type { SandboxMode } from '@agent-terminals/sandbox/contract'
import { CliError } from '../errors.js'
import { parseOptions } from '../parse-options.js'

export interface McpOptions {
  readonly configFile?: string | undefined
  readonly sandbox?: SandboxMode | undefined
  readonly root?: string | undefined
  /** Address of the HTTP endpoint; `true` for the default one; absent for standard input and output. */
  readonly http?: string | true | undefined
  readonly allowedOrigins?: readonly string[] | undefined
  readonly allowedHosts?: readonly string[] | undefined
  readonly allowRemote?: boolean | undefined
  readonly idleMinutes?: number | undefined
  /** From the environment, so that it stands in no command line. */
  readonly token?: string | undefined
  readonly isVerbose: boolean
}

/**
 * Make the directory of `--root` that of the process: a workspace root of `.` in a composition means that one.
 * @returns it, absolute, symlinks resolved; nothing without the option.
 * @throws CliError `OPTION_INVALID`.
 */
export function enterRoot(root: string | undefined): string | undefined {
  if (root === undefined) return undefined
  const path = resolve(root)
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new CliError('OPTION_INVALID', `--root ${root} is not an existing directory.`)
  }
  const real = realpathSync(path)
  process.chdir(real)
  return real
}

/** `8080`, `localhost`, `127.0.0.1:8080` or `[::1]:8080`. @throws CliError `OPTION_INVALID`. */
export function parseAddress(address: string): { readonly host?: string; readonly port?: number } {
  const match = /^(?:(\d{1,5})|(?:\[([0-9a-f:.]+)\]|([a-z0-9.-]+))(?::(\d{1,5}))?)$/i.exec(address)
  if (!match) throw new CliError('OPTION_INVALID', `The address ${address} is neither PORT nor HOST nor HOST:PORT.`)
  const [, onlyPort, bracketed, plain, port] = match
  const host = bracketed ?? plain
  const digits = onlyPort ?? port
  return { ...(host === undefined ? {} : { host }), ...(digits === undefined ? {} : { port: Number(digits) }) }
}

export function toConnectionConfig({ sandbox, root }: Pick<McpOptions, 'sandbox' | 'root'>): ConnectionConfig {
  return parseOptions(ConnectionConfig, { sandbox, root })
}

/**
 * @param address - value of the option; `true` for the default address.
 * @param remoteAdvice - how the command at hand listens beyond loopback.
 * @throws CliError `OPTION_INVALID`.
 */
export function toHttpConfig(
  options: Omit<McpOptions, 'isVerbose'>,
  address: string | true,
  remoteAdvice: string,
): HttpConfig {
  const { sandbox, root, token, allowedOrigins, allowedHosts, allowRemote, idleMinutes } = options
  const target = address === true ? {} : parseAddress(address)
  if (target.host !== undefined && !isLoopback(target.host) && allowRemote !== true) {
    throw new CliError(
      'OPTION_INVALID',
      `${target.host} is not a loopback address; other machines could reach it. ${remoteAdvice}`,
    )
  }
  return parseOptions(HttpConfig, {
    ...target,
    sandbox,
    root,
    token,
    allowedOrigins,
    allowedHosts,
    allowRemote,
    idleSessionMs: idleMinutes === undefined ? undefined : Math.round(idleMinutes * 60_000),
  })
}
