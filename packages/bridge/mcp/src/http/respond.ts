/** Answers of the endpoint itself, as JSON-RPC errors without an id. */
import type { ServerResponse } from 'node:http'

export function respondError(
  response: ServerResponse,
  status: number,
  message: string,
  options: { readonly code?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): void {
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code: options.code ?? -32000, message }, id: null })
  response.writeHead(status, { 'content-type': 'application/json', ...options.headers }).end(body)
}
