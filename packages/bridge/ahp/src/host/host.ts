/** The AHP host beside `ctx.terminals`: every terminal is a channel, every connection a peer. */

import { resolve } from 'node:path'
import type {} from '@agent-terminals/agents/contract'
import type { Context } from '@deepseek-ai/cordis'
import { CLOSE_CODES, type Implementation, type Transport } from '../protocol/index.js'
import { ActionStream } from './action-stream.js'
import { ChannelRegistry } from './channel-registry.js'
import { sessionClaimFor } from './claims.js'
import { ClientBook } from './client-book.js'
import { type Clock, systemClock } from './clock.js'
import type { Config } from './config.js'
import { Connection, type ConnectionServices } from './connection.js'
import { ActionDispatch } from './dispatch.js'
import { Handshake } from './handshake.js'
import { TerminalCommands } from './terminal-commands.js'
import { TerminalFeed } from './terminal-feed.js'
import { toFileUri } from './working-directory.js'

const SERVER_INFO: Implementation = { name: 'agent-terminals', version: '0.1.0' }

export class AhpHost {
  private readonly connections = new Set<Connection>()
  private readonly channels: ChannelRegistry
  private readonly commands: TerminalCommands
  private readonly services: ConnectionServices
  private readonly stopFeed: () => void
  private readonly ending = new AbortController()

  constructor(
    private readonly ctx: Context,
    private readonly config: Config,
    clock: Clock = systemClock,
  ) {
    const { terminals } = ctx
    const logger = ctx.logger('ahp')
    const logError = (error: unknown) => logger.error(error)
    const stream = new ActionStream({ maxEntries: config.replayEntries, maxUnits: config.replayUnits })
    const channels = new ChannelRegistry(stream)
    const clients = new ClientBook(config.maxClients, () => clock.now())
    const feed = new TerminalFeed({ terminals, channels, stream, clock, config, logError })
    this.channels = channels
    this.commands = new TerminalCommands({ ctx, terminals, channels, feed, config, signal: this.ending.signal })
    this.services = {
      config,
      clock,
      handshake: new Handshake({
        clients,
        stream,
        serverInfo: SERVER_INFO,
        defaultDirectory: toFileUri(resolve(config.defaultDirectory)),
      }),
      commands: this.commands,
      dispatch: new ActionDispatch({ terminals, channels, clients, config, logError }),
      subscriptions: { channels, stream, maxSubscriptions: config.maxSubscriptions },
      logError,
      handleClosed: (connection) => this.connections.delete(connection),
    }
    this.stopFeed = feed.start()
    ctx.on('agent/disposed', (agent) => this.disposeOfSession(agent.session.id, logError))
  }

  get connectionCount(): number {
    return this.connections.size
  }

  /** Whether another connection may be opened. */
  get hasRoom(): boolean {
    return !this.ending.signal.aborted && this.connections.size < this.config.maxConnections
  }

  /**
   * Serve a peer that has been admitted.
   * @param principal - as whom it was admitted. Client ids are bound to it at first use.
   */
  accept(transport: Transport, { principal }: { readonly principal: string }): void {
    if (!this.hasRoom) {
      transport.close(CLOSE_CODES.policy, 'too many connections')
      return
    }
    const connection = new Connection(transport, principal, this.services)
    this.connections.add(connection)
    connection.start()
  }

  /** End connections, then the terminals that clients created; hand the agents' own back. @throws AggregateError of what could not be ended. */
  async dispose(): Promise<void> {
    this.ending.abort(new Error('the AHP host ends'))
    for (const connection of this.connections) connection.close(CLOSE_CODES.normal, 'the host ends')
    const failures: unknown[] = []
    await Promise.all(
      this.channels.list().map(async (channel) => {
        try {
          if (channel.options.isClientMade) await this.commands.end(channel)
          else this.handBack(channel.sessionId, channel.state.claim.kind)
        } catch (error) {
          failures.push(error)
        }
      }),
    )
    this.stopFeed()
    for (const channel of this.channels.list()) channel.end()
    if (failures.length > 0) throw new AggregateError(failures, 'terminals of AHP clients could not be ended')
  }

  private handBack(sessionId: Parameters<typeof this.ctx.terminals.observers.claim>[0], kind: string): void {
    if (kind === 'client') this.ctx.terminals.observers.claim(sessionId, { kind: 'owner' })
  }

  /** A session that ends takes along the terminals that clients have given to it. Sheet §7.2. */
  private disposeOfSession(sessionId: string, logError: (error: unknown) => void): void {
    const { session } = sessionClaimFor(sessionId)
    for (const channel of this.channels.list()) {
      const { claim } = channel.state
      if (claim.kind === 'session' && claim.session === session) this.commands.end(channel).catch(logError)
    }
  }
}
