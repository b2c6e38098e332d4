/** The connection to the host, as the page shows it. */

export type Connection =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'ready' }
  /** Lost; tried again at `retryAt`, ms of the clock that the page shows countdowns by. */
  | { readonly kind: 'waiting'; readonly retryAt: number }
  /** It will not come back by itself. */
  | { readonly kind: 'failed'; readonly message: string }

/** One sentence for the connection, or nothing while all is well. @param secondsLeft - of `waiting`. */
export function renderConnection(connection: Connection, secondsLeft: number): string | undefined {
  switch (connection.kind) {
    case 'ready':
      return undefined
    case 'connecting':
      return 'Connecting…'
    case 'waiting':
      return secondsLeft === 0
        ? 'The host is gone. Trying again…'
        : `The host is gone. Trying again in ${secondsLeft} s.`
    case 'failed':
      return connection.message
  }
}
