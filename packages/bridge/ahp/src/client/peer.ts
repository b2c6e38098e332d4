/** Requests and answers on one transport. Ends with it. */
import {
  AhpError,
  type NotificationFrame,
  parseFrame,
  type RequestId,
  renderError,
  renderNotification,
  renderRequest,
  type Transport,
} from '../protocol/index.js'
import type { ClientClock } from './globals.js'

/** Not on the wire: the connection ended before the answer came, so nobody knows what became of the request. */
export const CONNECTION_LOST = -32000

export interface PeerOptions {
  readonly transport: Transport
  readonly clock: ClientClock
  readonly requestTimeoutMs: number
  /** Something has arrived, whatever it is. */
  readonly onTraffic: () => void
  readonly onNotification: (notification: NotificationFrame) => void
  readonly onClose: () => void
}

interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: AhpError) => void
  readonly disarm: () => void
}

export class Peer {
  private nextId = 1
  private isOpen = true
  private readonly waiting = new Map<RequestId, Waiting>()

  constructor(private readonly options: PeerOptions) {
    options.transport.listen({
      onMessage: (text) => this.handleMessage(text),
      onClose: () => this.handleClose(),
    })
  }

  /** @throws AhpError with the peer's code, unchanged, or `CONNECTION_LOST`. */
  request(method: string, params: object): Promise<unknown> {
    if (!this.isOpen) return Promise.reject(connectionLost())
    const { transport, clock, requestTimeoutMs } = this.options
    const id = this.nextId++
    return new Promise((resolve, reject) => {
      const disarm = clock.after(requestTimeoutMs, () => {
        this.waiting.delete(id)
        reject(new AhpError(CONNECTION_LOST, `${method} was not answered within ${requestTimeoutMs} ms`))
      })
      this.waiting.set(id, { resolve, reject, disarm })
      transport.send(renderRequest(id, method, params))
    })
  }

  notify(method: string, params: object): void {
    if (this.isOpen) this.options.transport.send(renderNotification(method, params))
  }

  close(): void {
    this.options.transport.close()
  }

  private handleMessage(text: string): void {
    if (!this.isOpen) return
    this.options.onTraffic()
    const frame = parseFrame(text)
    switch (frame.kind) {
      case 'notification':
        this.options.onNotification(frame)
        return
      case 'request':
        this.options.transport.send(
          renderError(frame.id, AhpError.of('MethodNotFound', 'a terminal client answers nothing')),
        )
        return
      case 'result':
        this.take(frame.id)?.resolve(frame.result)
        return
      case 'error':
        if (frame.id !== null) this.take(frame.id)?.reject(frame.error)
    }
  }

  private take(id: RequestId): Waiting | undefined {
    const waiting = this.waiting.get(id)
    this.waiting.delete(id)
    waiting?.disarm()
    return waiting
  }

  private handleClose(): void {
    if (!this.isOpen) return
    this.isOpen = false
    for (const id of [...this.waiting.keys()]) this.take(id)?.reject(connectionLost())
    this.options.onClose()
  }
}

function connectionLost(): AhpError {
  return new AhpError(CONNECTION_LOST, 'the connection ended before the answer came')
}
