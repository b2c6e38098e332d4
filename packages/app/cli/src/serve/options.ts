/** What `agent-terminals serve` is asked for. */
import type { SandboxMode } from '@agent-terminals/sandbox/contract'
import { CliError } from '../errors.js'

export interface ServeOptions {
  readonly configFile?: string | undefined
  readonly host?: string | undefined
  readonly port?: number | undefined
  readonly tokenFile?: string | undefined
  /** Address of an MCP endpoint on the same composition; `true` for the default one. */
  readonly mcpHttp?: string | true | undefined
  /** Token of that endpoint. */
  readonly mcpToken?: string | undefined
  /** Confinement of terminals that MCP clients open. */
  readonly sandbox?: SandboxMode | undefined
  readonly root?: string | undefined
  readonly isDemo: boolean
  readonly isJson: boolean
  readonly isVerbose: boolean
}

export function parsePort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new CliError('OPTION_INVALID', `--port must be a whole number from 0 to 65535, not ${JSON.stringify(text)}.`)
}

/** @throws CliError `OPTION_INVALID` for options that mean nothing together. */
export function checkOptions({ sandbox, mcpHttp }: ServeOptions): void {
  if (sandbox === undefined || mcpHttp !== undefined) return
  throw new CliError(
    'OPTION_INVALID',
    '--sandbox confines terminals of MCP clients and needs --mcp-http. For all terminals, set the mode in a composition (--config).',
  )
}
