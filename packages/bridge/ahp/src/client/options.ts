import type { Implementation, Transport } from '../protocol/index.js'
import type { BackOff } from './back-off.js'
import type { ClientClock } from './globals.js'

export interface AhpClientOptions {
  /** Open a connection. Called again for every reconnection. */
  readonly open: () => Promise<Transport>
  /** Stable for the life of this client; claims are made in its name. A random one when left out. */
  readonly clientId?: string
  readonly clientInfo?: Implementation
  /** Most preferred first. */
  readonly protocolVersions?: readonly string[]
  readonly clock?: ClientClock
  /** `off` ends the client with its first connection. */
  readonly reconnect?: BackOff | 'off'
  readonly requestTimeoutMs?: number
  /** Silence after which the peer is asked whether it is there. */
  readonly pingAfterMs?: number
  /** How long it may take to answer that. */
  readonly pongTimeoutMs?: number
  /** UTF-16 units of output kept per terminal. */
  readonly maxContentUnits?: number
  /** Told when a listener of the user throws. */
  readonly onListenerError?: (error: unknown) => void
}

/** Where a client stands. */
export type ClientStatus =
  | { readonly kind: 'connecting'; readonly attempt: number }
  | { readonly kind: 'ready'; readonly version: string }
  /** The connection is lost; the next try comes in `delayMs`. */
  | { readonly kind: 'waiting'; readonly attempt: number; readonly delayMs: number }
  /** For good. */
  | { readonly kind: 'closed'; readonly error: Error | undefined }
