/** A WebSocket of `ws` as a transport: one message per text frame. */
import type { WebSocket } from 'ws'
import type { Transport, TransportListener } from '../../protocol/index.js'

/** What was encoded last: many subscribers get the very same text one after another. */
let encoded: { readonly text: string; readonly bytes: Buffer } = { text: '', bytes: Buffer.alloc(0) }

function encode(text: string): Buffer {
  if (text !== encoded.text) encoded = { text, bytes: Buffer.from(text) }
  return encoded.bytes
}

const AS_TEXT = { binary: false }

export class WsTransport implements Transport {
  private listener: TransportListener | undefined
  private readonly handleSent = () => this.listener?.onDrain?.()

  constructor(private readonly socket: WebSocket) {}

  get bufferedBytes(): number {
    return this.socket.bufferedAmount
  }

  send(message: string): void {
    if (this.socket.readyState === this.socket.OPEN) this.socket.send(encode(message), AS_TEXT, this.handleSent)
  }

  close(code?: number, reason?: string): void {
    this.socket.close(code, reason)
    // A peer that does not read never answers the close.
    if (this.bufferedBytes > 0) this.socket.terminate()
  }

  listen(listener: TransportListener): void {
    this.listener = listener
    const { socket } = this
    // `data` of a text or a binary message alike: binary is read as UTF-8 text.
    socket.on('message', (data) => listener.onMessage(data.toString()))
    socket.on('close', () => listener.onClose())
    // Every error is followed by a close.
    socket.on('error', () => {})
  }
}
