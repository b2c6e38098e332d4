import { isZombie, type ProcessStat, parseProcStat } from './parse-stat.js'
import type { ProcessTable } from './process-table.js'
import { listAncestry } from './tree.js'

/** What a look leaves behind for the next one. */
export interface SessionWalk {
  /**
   * Processes of the session as they were last seen, pid to start time. A process whose parent left belongs to init and
   * cannot be found from above any more; having been seen before, it still is.
   */
  readonly seen: ReadonlyMap<number, string>
  /** Those of them that were outside the foreground group, with everything below them. */
  readonly background: ReadonlySet<number>
  readonly foregroundPgid: number
  readonly sinceMs: number
}

export const FIRST_WALK: SessionWalk = {
  seen: new Map(),
  background: new Set(),
  foregroundPgid: 0,
  sinceMs: Number.NEGATIVE_INFINITY,
}

/** Bound on remembered processes, so that a fork bomb cannot make looks at its own session ever dearer. */
const MAX_REMEMBERED = 1024
/** Time in which no pid can change hands: the same bound that teardown relies on. */
const BACKGROUND_MS = 250

/**
 * The processes of the root's session that can be in its foreground group, found by descending from the root, from the
 * leader of that group, and from what was seen before. The cost depends on the session alone; background jobs are read
 * again only when the foreground has changed or some time has passed, since nothing else brings them to the front.
 */
export function walkSession(
  table: ProcessTable,
  root: ProcessStat,
  before: SessionWalk,
  nowMs: number,
): { readonly processes: readonly ProcessStat[]; readonly walk: SessionWalk } {
  const isFresh = before.foregroundPgid !== root.foregroundPgid || nowMs - before.sinceMs > BACKGROUND_MS
  const skipped: ReadonlySet<number> = isFresh ? new Set() : before.background
  const found = new Map<number, ProcessStat>([[root.pid, root]])
  const visit = (stat: ProcessStat) => {
    found.set(stat.pid, stat)
    const queue = [stat]
    for (let parent = queue.pop(); parent !== undefined; parent = queue.pop()) {
      for (const child of readChildren(table, parent, skipped)) {
        if (found.has(child.pid)) continue
        found.set(child.pid, child)
        queue.push(child)
      }
    }
  }
  visit(root)
  const isOurs = (stat: ProcessStat) => stat.sessionId === root.sessionId
  const leader = found.has(root.foregroundPgid) ? undefined : readProcess(table, root.foregroundPgid)
  if (leader !== undefined && isOurs(leader)) visit(leader)
  for (const [pid, startTime] of before.seen) {
    if (found.has(pid) || skipped.has(pid)) continue
    const stat = readProcess(table, pid)
    if (stat?.startTime === startTime && isOurs(stat)) visit(stat)
  }
  const all = [...found.values()]
  const processes = all.filter(isOurs)
  const kept = [...before.seen].filter(([pid]) => skipped.has(pid))
  const seen = [...kept, ...processes.map(({ pid, startTime }) => [pid, startTime] as const)].slice(-MAX_REMEMBERED)
  return {
    processes,
    walk: {
      seen: new Map(seen),
      background: new Set([...skipped, ...listBackground(all, root)]),
      foregroundPgid: root.foregroundPgid,
      sinceMs: isFresh ? nowMs : before.sinceMs,
    },
  }
}

/**
 * Processes of groups of their own that neither are in front nor have a process below them that is. A process that still
 * shows its shell's group may be about to join the foreground: it is a pipeline's member that was forked a moment ago.
 */
function listBackground(processes: readonly ProcessStat[], root: ProcessStat): readonly number[] {
  const front = new Set<number>([root.pid])
  for (const member of processes.filter(({ pgid }) => pgid === root.foregroundPgid)) {
    for (const pid of listAncestry(processes, member.pid)) front.add(pid)
  }
  const groups = new Set(processes.flatMap(({ pid, pgid }) => (front.has(pid) ? [pgid] : [])))
  return processes.flatMap(({ pid, pgid }) => (groups.has(pgid) ? [] : [pid]))
}

const NOBODY: ReadonlySet<number> = new Set()

/** The children of a process, except those that need not be read. */
export function readChildren(
  table: ProcessTable,
  parent: ProcessStat,
  skipped: ReadonlySet<number> = NOBODY,
): ProcessStat[] {
  if (isZombie(parent)) return []
  const threads = parent.threads > 1 ? table.listThreads(parent.pid) : undefined
  const tids = threads?.kind === 'value' ? threads.value : [parent.pid]
  return tids.flatMap((tid) => {
    const reading = table.readChildren(parent.pid, tid)
    if (reading.kind !== 'value') return []
    return reading.value
      .split(' ')
      .filter((name) => name !== '')
      .map(Number)
      .filter((pid) => !skipped.has(pid))
      .flatMap((pid) => readProcess(table, pid) ?? [])
  })
}

export function readProcess(table: ProcessTable, pid: number): ProcessStat | undefined {
  const reading = table.readStat(pid)
  return reading.kind === 'value' ? parseProcStat(reading.value) : undefined
}
