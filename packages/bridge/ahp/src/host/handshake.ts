/** `initialize` and `reconnect`: who the client is, which version both speak, and where it stands. Sheet §5.1 and §5.7. */
import {
  AhpError,
  ASSUMED_VERSION,
  type Implementation,
  type InitializeResult,
  initializeSchema,
  isRootUri,
  negotiateVersion,
  parseParams,
  reconnectSchema,
  shapeOf,
} from '../protocol/index.js'
import type { ActionStream } from './action-stream.js'
import type { ClientBook } from './client-book.js'
import type { Ready } from './connection-state.js'
import type { Subscriptions } from './subscriptions.js'

export interface HandshakeOptions {
  readonly clients: ClientBook
  readonly stream: ActionStream
  readonly serverInfo: Implementation
  /** `file:` URI. */
  readonly defaultDirectory: string
}

/** The connection as far as the handshake needs it. */
export interface Greeter {
  readonly principal: string
  readonly subscriptions: Subscriptions
  readonly become: (ready: Ready) => void
}

export class Handshake {
  constructor(private readonly options: HandshakeOptions) {}

  /** @throws AhpError `InvalidParams`, `UnsupportedProtocolVersion` or `PermissionDenied`. */
  initialize(params: unknown, greeter: Greeter): InitializeResult {
    const { channel, clientId, protocolVersions, initialSubscriptions } = parseParams(initializeSchema, params)
    requireRoot(channel)
    const version = negotiateVersion(protocolVersions)
    this.enter(clientId, version, greeter)
    const snapshots = greeter.subscriptions.subscribeAll(initialSubscriptions ?? [])
    const { stream, serverInfo, defaultDirectory } = this.options
    return { protocolVersion: version, serverSeq: stream.serverSeq, snapshots, serverInfo, defaultDirectory }
  }

  /** @throws AhpError `InvalidParams`, `NotFound` for an unknown client, `PermissionDenied`. */
  reconnect(params: unknown, greeter: Greeter): object {
    const { channel, clientId, lastSeenServerSeq, subscriptions } = parseParams(reconnectSchema, params)
    requireRoot(channel)
    const { clients } = this.options
    if (clients.principalOf(clientId) === undefined) throw AhpError.of('NotFound', 'unknown client')
    this.enter(clientId, clients.versionOf(clientId) ?? ASSUMED_VERSION, greeter)
    return greeter.subscriptions.resume(subscriptions, lastSeenServerSeq)
  }

  leave(clientId: string): void {
    this.options.clients.leave(clientId)
  }

  private enter(clientId: string, version: string, greeter: Greeter): void {
    this.options.clients.enter(clientId, greeter.principal, version)
    greeter.become({ kind: 'ready', clientId, version, shape: shapeOf(version) })
  }
}

function requireRoot(channel: string): void {
  if (!isRootUri(channel)) throw AhpError.of('InvalidParams', 'channel must be ahp-root://')
}
