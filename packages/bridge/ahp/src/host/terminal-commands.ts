/** `createTerminal` and `disposeTerminal`. Everything is decided before anything starts; a failure leaves no trace. Sheet §7. */
import type { TerminalOwner, TerminalSessions } from '@agent-terminals/terminal'
import type { Context } from '@deepseek-ai/cordis'
import {
  AhpError,
  claimSchema,
  createTerminalSchema,
  dimensionSchema,
  disposeTerminalSchema,
  findTerminalUriProblem,
  isRootUri,
  parseParams,
  type TerminalClaim,
  upClientClaim,
  type WireShape,
  withoutNulls,
} from '../protocol/index.js'
import type { ChannelRegistry } from './channel-registry.js'
import type { Config } from './config.js'
import { cleanTitle } from './core/index.js'
import { codeOf } from './error-code.js'
import type { TerminalChannel } from './terminal-channel.js'
import { endChannel, type TerminalFeed } from './terminal-feed.js'
import { resolveDirectory } from './working-directory.js'

export interface TerminalCommandsOptions {
  readonly ctx: Context
  readonly terminals: TerminalSessions
  readonly channels: ChannelRegistry
  readonly feed: TerminalFeed
  readonly config: Config
  /** Aborted when the host ends. */
  readonly signal: AbortSignal
}

/** Who asks. */
export interface Caller {
  readonly clientId: string
  readonly shape: WireShape
}

const DEFAULT_SIZE = { columns: 80, rows: 24 }
const MAX_NAME_LENGTH = 256

export class TerminalCommands {
  constructor(private readonly options: TerminalCommandsOptions) {}

  /** @throws AhpError as the table of sheet §7.1 has it. */
  async create(params: unknown, caller: Caller): Promise<void> {
    const { channels, config, terminals, feed, signal, ctx } = this.options
    if (config.createTerminals === 'off') throw AhpError.of('MethodNotFound', 'createTerminal is not supported here')
    const { channel: uri, name, cwd: cwdUri, ...rest } = parseParams(createTerminalSchema, params)
    const problem = findTerminalUriProblem(uri)
    if (problem !== undefined) throw AhpError.of('InvalidParams', `channel cannot name a terminal: ${problem}`)
    const claim = this.parseClaim(rest.claim, caller)
    const size = {
      columns: parseDimension('cols', rest.cols) ?? DEFAULT_SIZE.columns,
      rows: parseDimension('rows', rest.rows) ?? DEFAULT_SIZE.rows,
    }
    if (config.createTerminals === 'forbidden')
      throw AhpError.of('PermissionDenied', 'terminals may not be created here')
    if (channels.isTaken(uri)) throw AhpError.of('AlreadyExists', `the channel ${uri} exists; choose another URI`)
    if (channels.count >= config.maxTerminals) {
      throw AhpError.of('PermissionDenied', `there are ${channels.count} terminals, as many as allowed; dispose of one`)
    }
    const release = channels.reserve(uri)
    try {
      const cwd = await resolveDirectory(cwdUri, config)
      // An owner of its own: the terminal is the client's, and ends with the host at the latest.
      const owner: TerminalOwner = { id: `ahp ${uri}`, ctx, cwd }
      const forget = feed.expect(owner, { uri, claim, cwd, title: cleanTitle(name ?? '', MAX_NAME_LENGTH) })
      try {
        await terminals.spawn(owner, { type: config.backend, size, signal })
      } finally {
        forget()
      }
    } catch (error) {
      throw toCreationError(error)
    } finally {
      release()
    }
  }

  /** End a terminal, whoever holds it. A channel that does not exist is as good as disposed of. */
  async dispose(params: unknown): Promise<void> {
    const { channel: uri } = parseParams(disposeTerminalSchema, params)
    if (isRootUri(uri)) throw AhpError.of('InvalidParams', 'the root channel cannot be disposed of')
    const channel = this.options.channels.terminal(uri)
    if (!channel) return
    try {
      await this.end(channel)
    } catch (error) {
      throw AhpError.of('InternalError', error instanceof Error ? error.message : 'the terminal could not be ended')
    }
  }

  /** Close a terminal and forget its channel. Joins a disposal under way; after a failed one it tries again. */
  end(channel: TerminalChannel): Promise<void> {
    channel.disposal ??= this.endNow(channel).catch((error: unknown) => {
      channel.disposal = undefined
      throw error
    })
    return channel.disposal
  }

  private async endNow(channel: TerminalChannel): Promise<void> {
    const { terminals, channels } = this.options
    endChannel(channel)
    try {
      await terminals.observers.close(channel.sessionId)
    } catch (error) {
      if (codeOf(error) !== 'UNKNOWN_SESSION') {
        channels.publishList()
        throw error
      }
    }
    channels.remove(channel)
  }

  private parseClaim(wire: unknown, { clientId, shape }: Caller): TerminalClaim {
    const parsed = claimSchema.safeParse(upClientClaim(withoutNulls(wire), shape))
    if (!parsed.success) throw AhpError.of('InvalidParams', 'claim must say which client or session holds the terminal')
    const claim = parsed.data
    if (claim.kind === 'client' && claim.clientId !== clientId) {
      throw AhpError.of('InvalidParams', 'claim names another client; a terminal is created for oneself')
    }
    if (claim.kind === 'session' && this.options.config.foreignSessions === 'refused') {
      throw AhpError.of('InvalidParams', 'claim names a session; here only clients create terminals')
    }
    return claim
  }
}

function parseDimension(field: 'cols' | 'rows', value: unknown): number | undefined {
  if (value === undefined) return undefined
  const parsed = dimensionSchema.safeParse(value)
  if (!parsed.success) throw AhpError.of('InvalidParams', `${field} must be a whole number from 1 to 65535`)
  return parsed.data
}

function toCreationError(error: unknown): AhpError {
  if (error instanceof AhpError) return error
  const message = error instanceof Error ? error.message : 'the terminal could not be started'
  switch (codeOf(error)) {
    case 'SIZE_INVALID':
    case 'CWD_NOT_A_DIRECTORY':
      return AhpError.of('InvalidParams', message)
    case 'CWD_MISSING':
      return AhpError.of('NotFound', message)
    case 'LIMIT_REACHED':
    case 'SANDBOX_UNAVAILABLE':
      return AhpError.of('PermissionDenied', message)
    default:
      return AhpError.of('InternalError', message)
  }
}
