import { isZombie, type ProcessStat, parseProcStat } from './parse-stat.js'
import type { ProcessTable } from './process-table.js'

/**
 * Processes of the session as they were last seen, pid to start time. A process whose parent left belongs to init and
 * cannot be found from above any more; having been seen before, it still is.
 */
export interface SessionWalk {
  readonly seen: ReadonlyMap<number, string>
}

/** Bound on remembered processes, so that a fork bomb cannot make looks at its own session ever dearer. */
const MAX_REMEMBERED = 1024

/**
 * The live and zombie processes of the root's session, found by descending from the root, from the leader of the
 * foreground group, and from what was seen before. The cost depends on the session alone.
 */
export function walkSession(
  table: ProcessTable,
  root: ProcessStat,
  before: SessionWalk,
): { readonly processes: readonly ProcessStat[]; readonly seen: ReadonlyMap<number, string> } {
  const found = new Map<number, ProcessStat>([[root.pid, root]])
  const visit = (stat: ProcessStat) => {
    found.set(stat.pid, stat)
    const queue = [stat]
    for (let parent = queue.pop(); parent !== undefined; parent = queue.pop()) {
      for (const child of readChildren(table, parent)) {
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
    if (found.has(pid)) continue
    const stat = readProcess(table, pid)
    if (stat?.startTime === startTime && isOurs(stat)) visit(stat)
  }
  const processes = [...found.values()].filter(isOurs)
  const seen = new Map(processes.slice(0, MAX_REMEMBERED).map((each) => [each.pid, each.startTime]))
  return { processes, seen }
}

export function readChildren(table: ProcessTable, parent: ProcessStat): ProcessStat[] {
  if (isZombie(parent)) return []
  const threads = parent.threads > 1 ? table.listThreads(parent.pid) : undefined
  const tids = threads?.kind === 'value' ? threads.value : [parent.pid]
  return tids.flatMap((tid) => {
    const reading = table.readChildren(parent.pid, tid)
    if (reading.kind !== 'value') return []
    return reading.value
      .split(' ')
      .filter((name) => name !== '')
      .flatMap((name) => readProcess(table, Number(name)) ?? [])
  })
}

export function readProcess(table: ProcessTable, pid: number): ProcessStat | undefined {
  const reading = table.readStat(pid)
  return reading.kind === 'value' ? parseProcStat(reading.value) : undefined
}
