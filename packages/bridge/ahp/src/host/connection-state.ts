/** The life of a connection: what has been agreed on it. */
import type { WireShape } from '../protocol/index.js'

export interface Ready {
  readonly kind: 'ready'
  readonly clientId: string
  readonly version: string
  readonly shape: WireShape
}

/** `closed` comes from either: refused, left or dropped. */
export type ConnectionState = { readonly kind: 'fresh' } | Ready | { readonly kind: 'closed' }
