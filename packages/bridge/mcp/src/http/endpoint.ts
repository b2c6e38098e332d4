/** The HTTP endpoint: a listening server with its sessions, and an end that is awaited. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Context } from '@deepseek-ai/cordis'
import type { HttpConfig } from '../config.js'
import { listHostNames, renderHost } from '../core/http-guard.js'
import { McpBridgeError } from '../errors.js'
import { createHost } from '../host.js'
import { type HandlerParts, handleRequest } from './handler.js'
import { respondError } from './respond.js'
import { HttpSessions } from './sessions.js'
import { createTokenCheck, mintSecret } from './token.js'

export interface HttpEndpoint {
  readonly url: string
  /** What clients send as bearer token. Show it once, to the person who started the server. */
  readonly token: string
  /** Whether the token was made here, as opposed to configured. */
  readonly isTokenMinted: boolean
  /** Sessions that are open now. */
  readonly sessionCount: number
  /** Take no more requests, end every session with its terminals, and wait for that. Repeated calls join. */
  close(): Promise<void>
}

export interface HttpOptions {
  readonly config: HttpConfig
  readonly onNotice: (notice: string) => void
}

/** @throws McpBridgeError `LISTEN_FAILED`. */
export async function startHttpEndpoint(ctx: Context, { config, onNotice }: HttpOptions): Promise<HttpEndpoint> {
  const token = config.token ?? mintSecret()
  const sessions = new HttpSessions({
    idleSessionMs: config.idleSessionMs,
    maxSessions: config.maxSessions,
    onFailure: (error) => onNotice(error instanceof Error ? error.message : String(error)),
  })
  const server = createServer()
  const port = await listen(server, config)
  let closed: Promise<void> | undefined
  const parts: HandlerParts = {
    host: createHost(ctx),
    config,
    guard: {
      hosts: listHostNames(config.host, port, config.allowedHosts),
      origins: config.allowedOrigins.map((origin) => origin.toLowerCase()),
    },
    checkToken: createTokenCheck(token),
    sessions,
    onNotice,
    isClosing: () => closed !== undefined,
  }
  server.on('request', (request, response) => {
    handleRequest(parts, request, response).catch((error: unknown) => {
      onNotice(error instanceof Error ? error.message : String(error))
      if (response.headersSent) response.destroy()
      else respondError(response, 500, 'Internal error', { code: -32603 })
    })
  })

  const close = async (): Promise<void> => {
    const stopped = new Promise<void>((resolve) => server.close(() => resolve()))
    await sessions.closeAll()
    server.closeAllConnections()
    await stopped
  }
  return {
    url: `http://${renderHost(config.host)}:${port}${config.path}`,
    token,
    isTokenMinted: config.token === undefined,
    get sessionCount() {
      return sessions.size
    },
    close() {
      closed ??= close()
      return closed
    },
  }
}

function listen(server: ReturnType<typeof createServer>, { host, port }: HttpConfig): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (cause: Error) => {
      const message = `${renderHost(host)}:${port} cannot be listened on: ${cause.message}. Choose another port; 0 takes a free one.`
      reject(new McpBridgeError('LISTEN_FAILED', message, { cause }))
    }
    server.once('error', fail)
    server.listen({ host, port }, () => {
      server.off('error', fail)
      resolve((server.address() as AddressInfo).port)
    })
  })
}
