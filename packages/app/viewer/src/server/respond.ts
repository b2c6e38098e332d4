import type { ServerResponse } from 'node:http'
import { SECURITY_HEADERS } from './headers.js'

export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: { readonly type: string; readonly bytes: Uint8Array | string }
}

/** Nothing is kept by anybody on the way unless the answer says so. */
export function respond(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, {
    'cache-control': 'no-store',
    ...SECURITY_HEADERS,
    ...(body ? { 'content-type': body.type, 'content-length': Buffer.byteLength(body.bytes) } : {}),
    ...headers,
  })
  // Node leaves the body out of an answer to HEAD by itself.
  response.end(body?.bytes)
}

export function respondText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  respond(response, { status, headers, body: { type: 'text/plain; charset=utf-8', bytes: `${text}\n` } })
}

export function respondJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  respond(response, { status, headers, body: { type: 'application/json', bytes: JSON.stringify(value) } })
}
