/** A WebSocket as a transport. Sheet §2. */
import type { Transport, TransportListener } from '../protocol/index.js'
import { findWebSocket, type WebSocketConstructor, type WebSocketLike } from './globals.js'

export interface WebSocketOptions {
  /** Where there is no global one: that of `ws`, for instance. */
  readonly WebSocket?: WebSocketConstructor
  readonly protocols?: string | string[]
}

const OPEN = 1

/** Resolves once the connection is open. @throws Error when it cannot be opened: browsers say no more than that. */
export function openWebSocket(url: string, options: WebSocketOptions = {}): Promise<Transport> {
  const WebSocket = options.WebSocket ?? findWebSocket()
  if (!WebSocket) throw new Error('There is no WebSocket here; pass one in, such as that of the package ws.')
  const socket = new WebSocket(url, options.protocols)
  return new Promise((resolve, reject) => {
    const refuse = () => reject(new Error('The WebSocket could not be opened.'))
    socket.onerror = refuse
    socket.onclose = refuse
    socket.onopen = () => resolve(new WebSocketTransport(socket))
  })
}

class WebSocketTransport implements Transport {
  private listener: TransportListener | undefined
  private isClosed = false
  private readonly early: string[] = []

  constructor(private readonly socket: WebSocketLike) {
    socket.onmessage = (event: { readonly data: unknown }) => this.receive(event.data)
    socket.onclose = () => this.handleClose()
    socket.onerror = () => {}
  }

  get bufferedBytes(): number {
    return this.socket.bufferedAmount
  }

  send(message: string): void {
    if (this.socket.readyState === OPEN) this.socket.send(message)
  }

  /** A dead peer never answers a close: for this side the connection is over at once. */
  close(code?: number, reason?: string): void {
    this.socket.close(code, reason)
    void Promise.resolve().then(() => this.handleClose())
  }

  listen(listener: TransportListener): void {
    this.listener = listener
    for (const message of this.early.splice(0)) listener.onMessage(message)
    if (this.isClosed) listener.onClose()
  }

  private receive(data: unknown): void {
    if (typeof data !== 'string' || this.isClosed) return
    if (this.listener) this.listener.onMessage(data)
    else this.early.push(data)
  }

  private handleClose(): void {
    if (this.isClosed) return
    this.isClosed = true
    this.listener?.onClose()
  }
}
