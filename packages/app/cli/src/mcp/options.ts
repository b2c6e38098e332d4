/** From the options of `agent-terminals mcp` to configurations of the bridge. */
import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { ConnectionConfig, HttpConfig } from '@agent-terminals/mcp'
import type { SandboxMode } from '@agent-terminals/sandbox/contract'
import type { z } from 'zod'
import { CliError } from '../errors.js'

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

/** The directory of `--root`, absolute, symlinks resolved. @throws CliError `OPTION_INVALID`. */
export function resolveRoot(root: string): string {
  const path = resolve(root)
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return realpathSync(path)
  throw new CliError('OPTION_INVALID', `--root ${root} is not an existing directory.`)
}

/** `8080`, `localhost`, `127.0.0.1:8080` or `[::1]:8080`. @throws CliError `OPTION_INVALID`. */
export function parseAddress(address: string): { readonly host?: string; readonly port?: number } {
  const match = /^(?:(\d{1,5})|(?:\[([0-9a-f:.]+)\]|([a-z0-9.-]+))(?::(\d{1,5}))?)$/i.exec(address)
  if (!match) throw new CliError('OPTION_INVALID', `--http ${address} is neither PORT nor HOST nor HOST:PORT.`)
  const [, onlyPort, bracketed, plain, port] = match
  const host = bracketed ?? plain
  const digits = onlyPort ?? port
  return { ...(host === undefined ? {} : { host }), ...(digits === undefined ? {} : { port: Number(digits) }) }
}

const compact = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

function parse<Schema extends z.ZodType>(schema: Schema, fields: Readonly<Record<string, unknown>>): z.output<Schema> {
  const parsed = schema.safeParse(compact(fields))
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`)
  throw new CliError('OPTION_INVALID', `The options cannot be used: ${problems.join('; ')}.`)
}

export function toConnectionConfig({ sandbox, root }: McpOptions): ConnectionConfig {
  return parse(ConnectionConfig, { sandbox, root })
}

export function toHttpConfig(options: McpOptions, address: string | true): HttpConfig {
  const { sandbox, root, token, allowedOrigins, allowedHosts, allowRemote, idleMinutes } = options
  return parse(HttpConfig, {
    ...(address === true ? {} : parseAddress(address)),
    sandbox,
    root,
    token,
    allowedOrigins,
    allowedHosts,
    allowRemote,
    idleSessionMs: idleMinutes === undefined ? undefined : Math.round(idleMinutes * 60_000),
  })
}
