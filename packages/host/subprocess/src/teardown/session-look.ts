import type { ProcessIdentity } from '../contract.js'
import { listAncestry } from '../inspector/tree.js'
import type { Clock } from './clock.js'
import { canBeMember, identityKey, resolveMembership } from './membership.js'
import type { ProcessRow, SessionTable } from './session-table.js'
import type { Look } from './step.js'
import { SESSION_TAG_VARIABLE } from './termination.js'

/** Pids are given out in a circle: even a fork bomb needs longer than this for the smallest circle of 32768. */
const STRANGER_MS = 250
const NOBODY = { pids: new Set<number>(), sinceMs: Number.NEGATIVE_INFINITY }

/** Looks at one session, and remembers what earlier looks found out. */
export class SessionLook {
  private rootLedSession = false
  private protectedPids: ReadonlySet<number> = new Set([process.pid])
  private readonly known = new Map<string, number>()
  private readonly tagged = new Set<string>()
  /** Processes whose environment was read and lacks the tag. */
  private readonly untagged = new Set<string>()
  /** Pids of processes that are certainly not ours, and when that was found. */
  private strangers: { readonly pids: ReadonlySet<number>; readonly sinceMs: number } = NOBODY

  constructor(
    private readonly table: SessionTable,
    private readonly root: ProcessIdentity,
    private readonly tag: string,
    private readonly clock: Clock,
  ) {}

  /**
   * The root has ended a moment ago: note who is left of its session while the session's number cannot mean another one.
   * Later only what was noted, and what carries the tag, is still known to be ours.
   */
  async noteRootEnd(): Promise<void> {
    this.rootLedSession = true
    await this.lookAtMachine()
    this.rootLedSession = false
  }

  take(scope: Look['scope']): Promise<Look> {
    return scope === 'tree' ? this.lookAtTree() : this.lookAtMachine()
  }

  private async lookAtTree(): Promise<Look> {
    const rows = await this.table.descend([this.root.pid, ...this.known.values()])
    return { scope: 'tree', isConclusive: false, ...this.judge(rows) }
  }

  /**
   * A pid cannot change hands within `STRANGER_MS`, so the strangers of a look just taken need not be read again: the
   * proof after a shell has ended costs a listing and a few reads.
   */
  private async lookAtMachine(): Promise<Look> {
    const nowMs = this.clock.nowMs()
    const isFresh = nowMs - this.strangers.sinceMs > STRANGER_MS
    if (isFresh) this.strangers = { pids: new Set(), sinceMs: nowMs }
    const { rows, vanished } = await this.table.scan(this.strangers.pids)
    if (isFresh) this.protectedPids = new Set([process.pid, ...listAncestry(rows, process.pid)])
    await this.findTagged(rows)
    const isConclusive = vanished.every((pid) => this.strangers.pids.has(pid))
    const { members, root } = this.judge(rows)
    this.noteStrangers(rows, members)
    return { scope: 'machine', isConclusive, members, root }
  }

  private noteStrangers(rows: readonly ProcessRow[], members: readonly ProcessRow[]): void {
    const ours = new Set(members.map((member) => member.pid)).add(this.root.pid)
    const isStranger = (row: ProcessRow) => !ours.has(row.pid) && (row.isZombie || this.isDecided(row))
    const found = rows.filter(isStranger).map((row) => row.pid)
    this.strangers = { ...this.strangers, pids: new Set([...this.strangers.pids, ...found]) }
  }

  private judge(rows: readonly ProcessRow[]): Pick<Look, 'members' | 'root'> {
    const { members, root, rootLedSession } = resolveMembership(rows, {
      root: this.root,
      rootLedSession: this.rootLedSession,
      known: new Set(this.known.keys()),
      tagged: this.tagged,
      protectedPids: this.protectedPids,
    })
    this.rootLedSession = rootLedSession
    this.known.clear()
    for (const member of members) this.known.set(identityKey(member), member.pid)
    return { members, root }
  }

  /** Read the environment of every process that could be a member and has not been decided yet. */
  private async findTagged(rows: readonly ProcessRow[]): Promise<void> {
    const undecided = rows.filter((row) => !row.isZombie && !this.isDecided(row))
    const answers = await this.table.readTagged(
      undecided.map((row) => row.pid),
      `${SESSION_TAG_VARIABLE}=${this.tag}`,
    )
    for (const row of undecided) {
      const isTagged = answers.get(row.pid)
      if (isTagged !== undefined) (isTagged ? this.tagged : this.untagged).add(identityKey(row))
    }
  }

  private isDecided(row: ProcessRow): boolean {
    if (!canBeMember(row, this.root, this.protectedPids)) return true
    const key = identityKey(row)
    return this.tagged.has(key) || this.untagged.has(key) || this.known.has(key)
  }
}
