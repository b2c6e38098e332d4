/** Who may open a connection: decided at the upgrade, before any message. Sheet §15. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { type Config, isLoopback } from '../config.js'

export type Admission =
  | { readonly kind: 'admitted'; readonly principal: string; readonly subprotocol: string | undefined }
  | { readonly kind: 'refused'; readonly status: 401 | 403; readonly message: string }

/** A browser can present a token in the address or as a subprotocol of this form, other clients in a header as well. */
export const TOKEN_SUBPROTOCOL = 'ahp-token.'
export const OWNER_PRINCIPAL = 'owner'

export interface AdmissionPolicy {
  readonly config: Pick<Config, 'host' | 'allowedHosts' | 'allowedOrigins' | 'principals'>
  readonly token: string
}

export function admit(request: IncomingMessage, policy: AdmissionPolicy): Admission {
  if (!isHostAllowed(request, policy)) return refuse(403, 'this host name is not served')
  if (!isOriginAllowed(request, policy)) return refuse(403, 'this origin may not connect')
  const { token, subprotocol } = findToken(request)
  const principal = token === undefined ? undefined : findPrincipal(token, policy)
  if (principal === undefined) return refuse(401, 'a valid token is needed')
  return { kind: 'admitted', principal, subprotocol }
}

function refuse(status: 401 | 403, message: string): Admission {
  return { kind: 'refused', status, message }
}

/** A page elsewhere could point its own name at this machine: only names that are ours are served, and plain addresses. */
export function isHostAllowed({ headers }: IncomingMessage, { config }: Pick<AdmissionPolicy, 'config'>): boolean {
  const name = hostNameOf(headers.host ?? '')
  if (name === undefined) return false
  return isLoopback(name) || isIP(name) !== 0 || name === config.host || config.allowedHosts.includes(name)
}

/** Clients outside browsers send no origin. Browsers always do: it must be the server's own or an allowed one. */
export function isOriginAllowed({ headers }: IncomingMessage, { config }: Pick<AdmissionPolicy, 'config'>): boolean {
  const { origin, host } = headers
  if (origin === undefined) return true
  if (config.allowedOrigins.includes(origin)) return true
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`)
}

/** A name or an address, and a port: what a URL takes beside them (a user, a path) is none of it. RFC 9110 §7.2. */
const HOST = /^(?:\[[\da-f:.]+\]|[^\s/\\?#@:[\]]+)(?::\d*)?$/i

/** @param host - value of a Host header. */
function hostNameOf(host: string): string | undefined {
  if (!HOST.test(host)) return undefined
  try {
    return new URL(`http://${host}`).hostname.replace(/^\[(.*)\]$/, '$1')
  } catch {
    return undefined
  }
}

function findToken({ url, headers }: IncomingMessage): {
  readonly token: string | undefined
  readonly subprotocol: string | undefined
} {
  const bearer = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1]
  const subprotocol = (headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((each) => each.trim())
    .find((each) => each.startsWith(TOKEN_SUBPROTOCOL))
  // Whatever stands before the question mark: not every request target is a URL.
  const query = new URLSearchParams(/\?(.*)$/s.exec(url ?? '')?.[1] ?? '')
  const token = bearer ?? subprotocol?.slice(TOKEN_SUBPROTOCOL.length) ?? query.get('tkn') ?? query.get('token')
  return { token: token ?? undefined, subprotocol }
}

/** Every token is compared, and each in constant time. */
function findPrincipal(presented: string, { config, token }: AdmissionPolicy): string | undefined {
  const candidates = [[OWNER_PRINCIPAL, token] as const, ...Object.entries(config.principals)]
  let found: string | undefined
  for (const [principal, secret] of candidates) {
    if (isSameSecret(presented, secret)) found ??= principal
  }
  return found
}

/** Whether two secrets are equal, in a time that tells nothing about either. */
export function isSameSecret(left: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(left), digest(right))
}
