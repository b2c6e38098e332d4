/** Protocol versions: negotiation, and which wire shape a version has. Sheet §4. */
import { AhpError } from './errors.js'

/** The version this package implements; offers above it are taken only when there is nothing else. */
export const OWN_VERSION = '1.0.0'
/** What our client offers unless told otherwise. */
export const OFFERED_VERSIONS = ['1.0.0', '0.9.0', '0.8.0', '0.7.0'] as const
export const SUPPORTED_RANGES = ['^1.0.0', '^0.9.0', '^0.8.0', '^0.7.0'] as const
/** For a client whose version has been forgotten: the oldest release whose terminals look like today's. */
export const ASSUMED_VERSION = '0.9.0'

/**
 * How terminals look on the wire. `lifecycle`: since 0.9, with a lifecycle object and `chat` in session claims. `exit-code`: 0.7 and
 * 0.8, with a top-level `exitCode` and no `chat`.
 */
export type WireShape = 'lifecycle' | 'exit-code'

type Version = readonly [major: number, minor: number, patch: number]

const VERSION = /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})$/

export function parseVersion(text: string): Version | undefined {
  const match = VERSION.exec(text)
  return match ? [Number(match[1]), Number(match[2]), Number(match[3])] : undefined
}

function compare(left: Version, right: Version): number {
  return left[0] - right[0] || left[1] - right[1] || left[2] - right[2]
}

function isSupported([major, minor]: Version): boolean {
  return major === 1 || (major === 0 && (minor === 9 || minor === 8 || minor === 7))
}

export function shapeOf(version: string): WireShape {
  const parsed = parseVersion(version)
  return parsed && parsed[0] === 0 && parsed[1] < 9 ? 'exit-code' : 'lifecycle'
}

/**
 * @param offered - `protocolVersions` as it came.
 * @returns the highest supported offer, exactly as offered; one above our own version only when there is no other.
 * @throws AhpError `InvalidParams` for a malformed list, `UnsupportedProtocolVersion` when nothing fits.
 */
export function negotiateVersion(offered: unknown): string {
  if (!Array.isArray(offered)) throw AhpError.of('InvalidParams', 'protocolVersions must be a list of versions')
  const versions = offered.map((text: unknown) => {
    const version = typeof text === 'string' ? parseVersion(text) : undefined
    if (!version) {
      throw AhpError.of(
        'InvalidParams',
        `protocolVersions must hold versions such as "1.0.0", not ${JSON.stringify(text)?.slice(0, 32)}`,
      )
    }
    return { text: String(text), version }
  })
  const own = parseVersion(OWN_VERSION) ?? [1, 0, 0]
  const best = versions
    .filter(({ version }) => isSupported(version))
    .sort((left, right) => {
      const leftAbove = compare(left.version, own) > 0
      const rightAbove = compare(right.version, own) > 0
      return leftAbove === rightAbove ? compare(right.version, left.version) : leftAbove ? 1 : -1
    })[0]
  if (best) return best.text
  throw AhpError.of('UnsupportedProtocolVersion', 'no common protocol version', {
    supportedVersions: [...SUPPORTED_RANGES],
  })
}
