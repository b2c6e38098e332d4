/**
 * Root's capabilities reach around Landlock: with them a confined process reads the environment of others (CAP_PERFMON), types into
 * other terminals (CAP_SYS_ADMIN), loads kernel modules. Those that only concern permissions of files stay, because a
 * container's root often works in a directory of another user. capabilities(7), setpriv(1)
 */
import { readFileSync, realpathSync } from 'node:fs'
import { basename } from 'node:path'
import { findOnPath } from './paths.js'

export type CapabilityDrop =
  | { readonly kind: 'unneeded' }
  | { readonly kind: 'possible'; readonly argv: readonly string[] }
  | { readonly kind: 'impossible' }

const SETPCAP = 1n << 8n
const KEPT = (1n << 1n) | (1n << 2n)

/** @param status - text of `/proc/self/status`. @param setpriv - path of util-linux's `setpriv`, if there is one. */
export function resolveCapabilityDrop(status: string, setpriv: string | undefined): CapabilityDrop {
  const effective = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`)
  if ((effective & ~KEPT) === 0n) return { kind: 'unneeded' }
  if (setpriv === undefined || (effective & SETPCAP) === 0n) return { kind: 'impossible' }
  const kept = ['dac_override', 'dac_read_search'].filter((_, at) => (effective & (1n << BigInt(at + 1))) !== 0n)
  const set = ['-all', ...kept.map((name) => `+${name}`)].join(',')
  return { kind: 'possible', argv: [setpriv, '--inh-caps', '-all', '--bounding-set', set, '--'] }
}

/** The same for this process. Busybox has a `setpriv` that cannot do this. */
export function findCapabilityDrop(): CapabilityDrop {
  const found = findOnPath('setpriv')
  const setpriv = found !== undefined && basename(realpathSync(found)) !== 'busybox' ? found : undefined
  try {
    return resolveCapabilityDrop(readFileSync('/proc/self/status', 'latin1'), setpriv)
  } catch {
    return { kind: 'unneeded' }
  }
}
