/** The WebSocket endpoint. Sheet §2 and §15. */
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { Config } from '../config.js'
import type { AhpHost } from '../host.js'
import { admit, isHostAllowed } from './admission.js'
import { WsTransport } from './ws-transport.js'

export interface ListeningServer {
  readonly url: string
  onRequest(handler: RequestHandler): () => void
  close(): Promise<void>
}

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => boolean

export interface ListenOptions {
  readonly host: AhpHost
  readonly config: Config
  readonly token: string
  readonly logError: (error: unknown) => void
}

/** A peer that has not finished its request by then is dropped. */
const HEADERS_TIMEOUT_MS = 10_000
const KEEP_ALIVE_MS = 30_000

/** @throws the system's error when the address is taken or not ours. */
export async function listen({ host, config, token, logError }: ListenOptions): Promise<ListeningServer> {
  const handlers = new Set<RequestHandler>()
  const server = createHttpServer(config)
  server.headersTimeout = HEADERS_TIMEOUT_MS
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: config.maxFrameBytes,
    perMessageDeflate: false,
    clientTracking: true,
    handleProtocols: () => false,
  })
  // A peer that vanished without a word is found out by the system.
  server.on('connection', (socket) => socket.setKeepAlive(true, KEEP_ALIVE_MS))
  server.on('request', (request, response) => {
    if (!isHostAllowed(request, { config })) {
      answer(response, 403, 'this host name is not served')
      return
    }
    try {
      if ([...handlers].some((handle) => handle(request, response))) return
      answer(response, 426, 'connect with a WebSocket')
    } catch (error) {
      logError(error)
      if (response.headersSent) response.destroy()
      else answer(response, 500, 'the host failed; see its log')
    }
  })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => {})
    const admission = admit(request, { config, token })
    if (admission.kind === 'refused') refuseUpgrade(socket, admission.status, admission.message)
    else if (!host.hasRoom) refuseUpgrade(socket, 503, 'too many connections')
    else {
      sockets.options.handleProtocols = () => admission.subprotocol ?? false
      sockets.handleUpgrade(request, socket, head, (webSocket) => {
        host.accept(new WsTransport(webSocket), { principal: admission.principal })
      })
    }
  })
  await startListening(server, config)
  return {
    url: urlOf(server, config),
    onRequest(handler) {
      handlers.add(handler)
      return () => handlers.delete(handler)
    },
    async close() {
      for (const client of sockets.clients) client.terminate()
      sockets.close()
      server.closeAllConnections()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}

function createHttpServer({ tls }: Config): Server {
  if (!tls) return createServer()
  return createTlsServer({ cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile) })
}

function startListening(server: Server, { port, host }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function urlOf(server: Server, { host, tls }: Config): string {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return `${tls ? 'wss' : 'ws'}://${host.includes(':') ? `[${host}]` : host}:${port}/`
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }).end(`${text}\n`)
}

const STATUS_TEXTS: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  503: 'Service Unavailable',
}

function refuseUpgrade(socket: Duplex, status: number, text: string): void {
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_TEXTS[status] ?? 'Refused'}\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  )
}
