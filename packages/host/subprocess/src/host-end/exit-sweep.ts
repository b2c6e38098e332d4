import type { ProcessIdentity } from '../contract.js'
import { createLinuxTable } from '../inspector/linux-table.js'
import { parsePs } from '../inspector/parse-ps.js'
import { runPsNow } from '../inspector/run-ps.js'
import { listAncestry } from '../inspector/tree.js'
import { LinuxSessionTable } from '../teardown/linux-session-table.js'
import { canBeMember, identityKey, resolveMembership } from '../teardown/membership.js'
import { toPsRow } from '../teardown/ps-session-table.js'
import type { ProcessRow } from '../teardown/session-table.js'

/** Time that programs get to act on the hang-up before they are killed; the host's exit waits for it. */
const HANG_UP_MS = 40
const PAUSE_MS = 5

/** The machine's processes without a promise: at `exit` nothing asynchronous happens any more. */
export interface ExitTable {
  list(): readonly ProcessRow[]
  /** Those of the processes that carry `entry` in their environment, as far as it can be read at once. */
  findTagged(rows: readonly ProcessRow[], entry: string): readonly ProcessRow[]
  signal(identity: ProcessIdentity, signal: 'SIGHUP' | 'SIGCONT' | 'SIGKILL'): void
  pause(ms: number): void
}

/**
 * End every process of the given sessions now: hang-up, a moment, kill. Best effort, for the `exit` event of the host;
 * what it cannot reach is the watcher's.
 */
export function sweepAtExit(
  roots: readonly ProcessIdentity[],
  entry: string,
  table: ExitTable = systemExitTable(),
): void {
  let remaining = findAll(roots, entry, table)
  for (const row of remaining) table.signal(row, 'SIGHUP')
  for (const row of remaining) table.signal(row, 'SIGCONT')
  for (let waitedMs = 0; remaining.length > 0 && waitedMs < HANG_UP_MS; waitedMs += PAUSE_MS) {
    table.pause(PAUSE_MS)
    remaining = findAll(roots, entry, table)
  }
  for (const row of remaining) table.signal(row, 'SIGKILL')
}

function findAll(roots: readonly ProcessIdentity[], entry: string, table: ExitTable): readonly ProcessRow[] {
  const rows = table.list()
  const protectedPids = new Set([process.pid, ...listAncestry(rows, process.pid)])
  const candidates = rows.filter((row) => roots.some((root) => canBeMember(row, root, protectedPids)))
  const tagged = new Set(table.findTagged(candidates, entry).map(identityKey))
  const found = new Map<string, ProcessRow>()
  for (const root of roots) {
    const facts = { root, rootLedSession: false, known: new Set<string>(), tagged, protectedPids }
    const { members, root: rootRow } = resolveMembership(rows, facts)
    for (const row of rootRow === undefined ? members : [...members, rootRow]) found.set(identityKey(row), row)
  }
  return [...found.values()]
}

function systemExitTable(): ExitTable {
  const cell = new Int32Array(new SharedArrayBuffer(4))
  const pause = (ms: number) => void Atomics.wait(cell, 0, 0, ms)
  return process.platform === 'linux' ? { ...linuxExitTable(), pause } : { ...psExitTable(), pause }
}

function linuxExitTable(): Omit<ExitTable, 'pause'> {
  const table = createLinuxTable()
  const session = new LinuxSessionTable(table, (pid, signal) => void process.kill(pid, signal))
  return {
    list: () => session.scanNow().rows,
    findTagged: (rows, entry) => {
      const tagged = session.readTaggedNow(
        rows.map((row) => row.pid),
        entry,
      )
      return rows.filter((row) => tagged.get(row.pid) === true)
    },
    signal: (identity, signal) => void session.signalNow(identity, signal),
  }
}

/** Without procfs one listing has to do: the environment of others is left to the watcher. */
function psExitTable(): Omit<ExitTable, 'pause'> {
  const list = () => parsePs(runPsNow(['-ax'])).map(toPsRow)
  return {
    list,
    findTagged: () => [],
    signal: (identity, signal) => {
      if (!list().some((row) => identityKey(row) === identityKey(identity))) return
      try {
        process.kill(identity.pid, signal)
      } catch {
        // It left in between, or belongs to somebody else: nothing more can be done at exit.
      }
    },
  }
}
