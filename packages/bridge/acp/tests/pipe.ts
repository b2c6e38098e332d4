/** Two ends of a connection in one process, as bytes, so that lines are written and parsed as on a real one. */
import { ndJsonStream, type Stream } from '@agentclientprotocol/sdk'

export interface Pipe {
  readonly agentSide: Stream
  readonly clientSide: Stream
  /** Bytes to the agent that no client would write. */
  write(text: string): Promise<void>
  /** End the client's side as a client that exits does. */
  hangUp(): Promise<void>
  /** Let nothing through to the client. @returns a release. */
  pauseReading(): () => void
}

export function createPipe(): Pipe {
  const toAgent = new TransformStream<Uint8Array, Uint8Array>()
  let gate: Promise<void> = Promise.resolve()
  const toClient = new TransformStream<Uint8Array, Uint8Array>({
    async transform(chunk, controller) {
      await gate
      controller.enqueue(chunk)
    },
  })
  return {
    agentSide: ndJsonStream(toClient.writable, toAgent.readable),
    clientSide: ndJsonStream(toAgent.writable, toClient.readable),
    async write(text) {
      const writer = toAgent.writable.getWriter()
      await writer.write(new TextEncoder().encode(text))
      writer.releaseLock()
    },
    async hangUp() {
      await toAgent.writable.getWriter().close()
    },
    pauseReading() {
      let open = () => {}
      gate = new Promise((resolve) => {
        open = resolve
      })
      return open
    },
  }
}
