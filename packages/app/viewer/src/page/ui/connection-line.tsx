/** Says when the host is away, and when it is tried again. */
import type { Page } from '../app/page.js'
import { type Connection, renderConnection } from '../core/connection.js'
import { secondsUntil } from '../core/duration.js'
import { useTicking } from './ticking.js'

export function ConnectionLine({ page, connection }: { readonly page: Page; readonly connection: Connection }) {
  const isWaiting = connection.kind === 'waiting'
  useTicking(isWaiting, 250)
  const secondsLeft = isWaiting ? secondsUntil(connection.retryAt, performance.now()) : 0
  const text = renderConnection(connection, secondsLeft)
  if (text === undefined) return null
  return (
    <div class="connection" data-connection={connection.kind}>
      <span>{text}</span>
      {isWaiting && (
        <button type="button" class="button" onClick={() => page.link()?.client.retryNow()}>
          Try now
        </button>
      )}
    </div>
  )
}
