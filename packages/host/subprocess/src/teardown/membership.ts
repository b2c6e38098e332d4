import type { ProcessIdentity } from '../contract.js'
import { listTree } from '../inspector/tree.js'
import type { ProcessRow } from './session-table.js'

/** What is known of a session before a listing is judged. */
export interface MembershipFacts {
  readonly root: ProcessIdentity
  /** Whether the root was seen to lead a session of its own. Before that it still belongs to the host's session. */
  readonly rootLedSession: boolean
  /** Members found by earlier listings, as keys of identities. */
  readonly known: ReadonlySet<string>
  /** Processes that carry the session's tag, as keys of identities. */
  readonly tagged: ReadonlySet<string>
  /** The host and its ancestors: never members, whatever a listing says. */
  readonly protectedPids: ReadonlySet<number>
}

/** What a listing showed of a session. */
export interface Membership {
  /** Live members beside the root, children before their parents. */
  readonly members: readonly ProcessRow[]
  /** The root, unless it has ended. */
  readonly root: ProcessRow | undefined
  readonly rootLedSession: boolean
}

export function identityKey({ pid, startTime }: ProcessIdentity): string {
  return `${pid}@${startTime}`
}

/**
 * Members are the root's descendants, the processes of its session or terminal, those that carry its tag, those known
 * from before, and everything below any of them. No process older than the root can be one.
 */
export function resolveMembership(rows: readonly ProcessRow[], facts: MembershipFacts): Membership {
  const { root, known, tagged, protectedPids } = facts
  const rootKey = identityKey(root)
  const rootRow = rows.find((row) => row.pid === root.pid)
  const isRootListed = rootRow !== undefined && identityKey(rootRow) === rootKey
  const rootLeadsSession = isRootListed && rootRow.sessionId === root.pid
  // With another process under the root's pid, the session id may be a new one too.
  const rootLedSession = (facts.rootLedSession || rootLeadsSession) && (rootRow === undefined || isRootListed)
  const tty = rootLeadsSession ? rootRow.tty : ''
  const isSeed = (row: ProcessRow) => {
    const key = identityKey(row)
    if (key === rootKey || known.has(key) || tagged.has(key)) return true
    return (rootLedSession && row.sessionId === root.pid) || (tty !== '' && row.tty === tty)
  }
  const candidates = rows.filter((row) => canBeMember(row, root, protectedPids))
  const seeds = candidates.filter(isSeed).map((row) => row.pid)
  const members = listTree(candidates, seeds).filter((row) => !row.isZombie && identityKey(row) !== rootKey)
  return {
    members: [...members].reverse(),
    root: isRootListed && !rootRow.isZombie ? rootRow : undefined,
    rootLedSession,
  }
}

export function canBeMember(row: ProcessRow, root: ProcessIdentity, protectedPids: ReadonlySet<number>): boolean {
  return row.pid > 1 && !protectedPids.has(row.pid) && !startedBefore(row.startTime, root.startTime)
}

/** Only Linux start times are numbers; where they are dates, nothing is excluded by age. */
function startedBefore(startTime: string, reference: string): boolean {
  return /^\d+$/.test(startTime) && /^\d+$/.test(reference) && Number(startTime) < Number(reference)
}
