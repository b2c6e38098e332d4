/**
 * Who may speak to the HTTP endpoint at all, before anything is read. A web page can make a browser send requests to the
 * loopback interface; it cannot choose the Host and Origin headers, and it does not know the token.
 * Model Context Protocol 2025-11-25, "Transports / Security Warning".
 */

export interface RequestFacts {
  readonly host: string | undefined
  readonly origin: string | undefined
  /** Whether the bearer token is the right one, compared in constant time by the caller. */
  readonly hasToken: boolean
}

export interface GuardPolicy {
  /** Values of the Host header, lower case. */
  readonly hosts: readonly string[]
  /** Values of the Origin header, lower case. */
  readonly origins: readonly string[]
}

export type Admission =
  | { readonly kind: 'admitted' }
  | { readonly kind: 'refused'; readonly status: 401 | 403; readonly message: string }

export function admitRequest({ host, origin, hasToken }: RequestFacts, policy: GuardPolicy): Admission {
  if (host === undefined || !policy.hosts.includes(host.toLowerCase())) {
    return { kind: 'refused', status: 403, message: 'This server does not answer to the name in the Host header.' }
  }
  if (origin !== undefined && !policy.origins.includes(origin.toLowerCase())) {
    return { kind: 'refused', status: 403, message: 'Pages of this origin may not use this server.' }
  }
  if (!hasToken) {
    return { kind: 'refused', status: 401, message: 'Send the token of this server as Authorization: Bearer TOKEN.' }
  }
  return { kind: 'admitted' }
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i

/** Whether only this machine can reach an address. */
export const isLoopback = (host: string) => LOOPBACK.test(host)

/** An address as it stands in a URL and in a Host header. */
export const renderHost = (host: string) => (host.includes(':') ? `[${host}]` : host)

/** Names by which a listening address may be called. */
export function listHostNames(host: string, port: number, more: readonly string[]): readonly string[] {
  const names = isLoopback(host) ? ['localhost', '127.0.0.1', '[::1]', renderHost(host)] : [renderHost(host)]
  const withPort = names.flatMap((name) => (port === 80 ? [`${name}:${port}`, name] : [`${name}:${port}`]))
  return [...new Set([...withPort, ...more].map((name) => name.toLowerCase()))]
}

/** The token of an Authorization header. RFC 6750 §2.1. */
export function parseBearer(header: string | undefined): string | undefined {
  return /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(header ?? '')?.[1]
}
