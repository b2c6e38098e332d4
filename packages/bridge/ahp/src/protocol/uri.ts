/** Channel URIs. They are opaque; only the root has several spellings. Sheet §1. */

export const ROOT_URI = 'ahp-root://'
/** The spelling that our client mints, because other clients recognise a terminal only by it. */
export const TERMINAL_PREFIX = 'ahp-terminal:/'

/** Schemes of channels that are not terminals. `x-` schemes are extensions and may be anything. */
const OTHER_SCHEMES = new Set([
  'ahp-root',
  'ahp-session',
  'ahp-chat',
  'ahp-changeset',
  'ahp-otlp',
  'ahp-resource-watch',
  'ahp-canvas',
  'ahp-automations',
])

/** RFC 3986: a scheme, a colon and at least one more character; no spaces or control characters. */
const ABSOLUTE_URI = /^([a-z][a-z0-9+.-]*):[^\s\p{Cc}]+$/iu
const ROOT_SPELLING = /^ahp-root:\/{0,2}$/

/** Whether a URI names the root channel. `ahp-root:` and `ahp-root:/` are what some clients' URI classes make of it. */
export function isRootUri(uri: string): boolean {
  return ROOT_SPELLING.test(uri)
}

/** @returns the one spelling under which a channel is kept. */
export function canonicalUri(uri: string): string {
  return isRootUri(uri) ? ROOT_URI : uri
}

export function schemeOf(uri: string): string | undefined {
  return ABSOLUTE_URI.exec(uri)?.[1]?.toLowerCase()
}

/** @returns why the URI cannot name a new terminal, or `undefined` when it can. */
export function findTerminalUriProblem(uri: string): string | undefined {
  const scheme = schemeOf(uri)
  if (isRootUri(uri) || (scheme !== undefined && OTHER_SCHEMES.has(scheme))) {
    return `the scheme ${scheme ?? 'ahp-root'} belongs to another kind of channel`
  }
  return scheme === undefined ? 'it is not an absolute URI' : undefined
}
