/** A stream that knows when everything handed to it has been written, so that a connection can end after its last answer. */
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk'

export interface TrackedStream {
  readonly stream: Stream
  /** Resolves when nothing is being written and nothing has been handed over for a turn of the event loop. */
  written(): Promise<void>
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

export function trackWrites({ readable, writable }: Stream): TrackedStream {
  const writer = writable.getWriter()
  let last: Promise<void> = Promise.resolve()
  const tracked = new WritableStream<AnyMessage>({
    write(message) {
      const write = writer.write(message)
      last = write.catch(() => undefined)
      return write
    },
    close: () => writer.close(),
    abort: (reason) => writer.abort(reason),
  })
  return {
    stream: { readable, writable: tracked },
    async written() {
      let seen: Promise<void> | undefined
      while (seen !== last) {
        seen = last
        await seen
        await nextTurn()
      }
    },
  }
}
