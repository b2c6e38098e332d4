/** One HTTP request: let in or refused, then given to its session. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { HttpConfig } from '../config.js'
import { type Connection, openConnection } from '../connection/connection.js'
import { admitRequest, type GuardPolicy, parseBearer } from '../core/http-guard.js'
import type { Host } from '../host.js'
import { respondError } from './respond.js'
import type { HttpSessions } from './sessions.js'
import { mintSecret } from './token.js'

const METHODS = 'GET, POST, DELETE'
const CORS_HEADERS = 'authorization, content-type, accept, mcp-session-id, mcp-protocol-version, last-event-id'

export interface HandlerParts {
  readonly host: Host
  readonly config: HttpConfig
  readonly guard: GuardPolicy
  readonly checkToken: (presented: string | undefined) => boolean
  readonly sessions: HttpSessions
  readonly onNotice: (notice: string) => void
  /** Whether the endpoint takes no new sessions any more. */
  readonly isClosing: () => boolean
}

export async function handleRequest(
  parts: HandlerParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (new URL(request.url ?? '/', 'http://localhost').pathname !== parts.config.path) {
    respondError(response, 404, `There is nothing here. The endpoint is ${parts.config.path}.`)
    return
  }
  const { host, origin, authorization } = request.headers
  // A browser asks first whether a page may send the token, and cannot show it yet.
  const isPreflight = request.method === 'OPTIONS'
  const hasToken = isPreflight || parts.checkToken(parseBearer(authorization))
  const admission = admitRequest({ host, origin, hasToken }, parts.guard)
  if (admission.kind === 'refused') {
    const headers: Record<string, string> = admission.status === 401 ? { 'www-authenticate': 'Bearer' } : {}
    respondError(response, admission.status, admission.message, { headers })
    return
  }
  if (origin !== undefined) allowOrigin(response, origin)
  if (isPreflight) {
    response.writeHead(204, { 'access-control-allow-methods': METHODS, 'access-control-allow-headers': CORS_HEADERS })
    response.end()
    return
  }
  if (!METHODS.split(', ').includes(request.method ?? '')) {
    respondError(response, 405, 'Method not allowed.', { headers: { allow: METHODS } })
    return
  }
  const sessionId = request.headers['mcp-session-id']
  if (sessionId === undefined) await openSession(parts, request, response)
  else await continueSession(parts, String(sessionId), request, response)
}

function allowOrigin(response: ServerResponse, origin: string): void {
  response.setHeader('access-control-allow-origin', origin)
  response.setHeader('access-control-expose-headers', 'mcp-session-id')
  response.setHeader('vary', 'origin')
}

async function continueSession(
  { sessions }: HandlerParts,
  id: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const session = sessions.find(id)
  if (!session) {
    respondError(response, 404, 'Session not found. Initialize a new one.', { code: -32001 })
    return
  }
  response.once('close', sessions.enter(id))
  await session.transport.handleRequest(request, response)
}

/** A request without a session can only be the first one; the transport refuses any other, and what was made for it goes. */
async function openSession(parts: HandlerParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { sessions } = parts
  if (request.method !== 'POST') {
    respondError(response, 400, 'Mcp-Session-Id header is required. Initialize with POST first.')
    return
  }
  const release = parts.isClosing() ? undefined : sessions.reserve()
  if (!release) {
    respondError(
      response,
      503,
      `This server serves ${parts.config.maxSessions} sessions at most. End one, or try again later.`,
    )
    return
  }
  try {
    await serveFirstRequest(parts, request, response)
  } finally {
    release()
  }
}

async function serveFirstRequest(
  { sessions, config, host, onNotice }: HandlerParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  let connection: Connection | undefined
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: mintSecret,
    maxRequestBodySize: config.maxMessageBytes,
    onsessioninitialized(id) {
      if (!connection) return
      sessions.add({ id, transport, connection })
      response.once('close', sessions.enter(id))
    },
    // The answer to DELETE says that the terminals are gone, so it waits for that.
    onsessionclosed: () => connection?.close().catch(() => undefined),
  })
  connection = await openConnection({ host, config, transport: transport as Transport, onNotice })
  await transport.handleRequest(request, response)
  if (transport.sessionId === undefined) await connection.close()
}
