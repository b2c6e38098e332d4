import type { ProcessIdentity } from '../contract.js'
import { parseHostTag, readOwnNamespace } from '../host-end/host-tag.js'
import { createLinuxTable } from '../inspector/linux-table.js'
import { systemPs } from '../inspector/run-ps.js'
import { LinuxLeftoverSource } from './linux-source.js'
import { PsLeftoverSource } from './ps-source.js'
import type { HostLife, LeftoverSource } from './source.js'

/** A process that a host started on a terminal and that has outlived the host. */
export interface Leftover extends ProcessIdentity {
  readonly command: string
  /** Names the terminal: leftovers with the same tag end together. */
  readonly sessionTag: string | undefined
}

export interface LeftoverFindings {
  readonly leftovers: readonly Leftover[]
  /** Processes of hosts that still run. */
  readonly inUse: number
  /** Tagged processes whose host cannot be judged from here: it runs in another pid namespace (a container), or is too old to say. */
  readonly unjudged: number
}

function systemSource(): LeftoverSource {
  if (process.platform !== 'linux') return new PsLeftoverSource(systemPs, process.pid)
  return new LinuxLeftoverSource({
    table: createLinuxTable(),
    ownPid: process.pid,
    uid: process.getuid?.(),
    namespace: readOwnNamespace(),
  })
}

/**
 * The user's processes that carry the tag of a host which has gone. Reads the whole process table. Never this process or one of
 * its ancestors, and never one whose host is not certainly gone.
 */
export async function findLeftovers(source: LeftoverSource = systemSource()): Promise<LeftoverFindings> {
  const ownLine = await source.listOwnLine()
  const lives = new Map<string, HostLife>()
  const leftovers: Leftover[] = []
  const counts = { alive: 0, unknown: 0 }
  for (const { hostTag, ...found } of await source.listTagged()) {
    if (ownLine.has(found.pid)) continue
    const host = parseHostTag(hostTag)
    const life = lives.get(hostTag) ?? (host === undefined ? 'unknown' : await source.judgeHost(host))
    lives.set(hostTag, life)
    if (life === 'gone') leftovers.push(found)
    else counts[life]++
  }
  return { leftovers, inUse: counts.alive, unjudged: counts.unknown }
}
