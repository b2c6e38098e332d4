import type { ProcessIdentity } from '../contract.js'
import { listAncestry } from '../inspector/tree.js'
import { canBeMember, identityKey, resolveMembership } from './membership.js'
import type { ProcessRow, SessionTable } from './session-table.js'
import type { Look } from './step.js'
import { SESSION_TAG_VARIABLE } from './termination.js'

/** Looks at one session, and remembers what earlier looks found out. */
export class SessionLook {
  private rootLedSession = false
  private protectedPids: ReadonlySet<number> = new Set([process.pid])
  private readonly known = new Map<string, number>()
  private readonly tagged = new Set<string>()
  /** Processes whose environment was read and lacks the tag. */
  private readonly untagged = new Set<string>()
  private strangers: ReadonlySet<number> = new Set()

  constructor(
    private readonly table: SessionTable,
    private readonly root: ProcessIdentity,
    private readonly tag: string,
  ) {}

  /** A new attempt begins: what was seen of the rest of the machine is too old to be relied on. */
  forgetStrangers(): void {
    this.strangers = new Set()
  }

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

  private async lookAtMachine(): Promise<Look> {
    const { rows, vanished } = await this.table.scan()
    this.protectedPids = new Set([process.pid, ...listAncestry(rows, process.pid)])
    await this.findTagged(rows)
    const isConclusive = vanished.every((pid) => this.strangers.has(pid))
    const { members, root } = this.judge(rows)
    const ours = new Set(members.map((member) => member.pid))
    this.strangers = new Set(rows.flatMap((row) => (ours.has(row.pid) || row.pid === this.root.pid ? [] : [row.pid])))
    return { scope: 'machine', isConclusive, members, root }
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
    const undecided = rows.filter((row) => {
      const key = identityKey(row)
      const isDecided = this.tagged.has(key) || this.untagged.has(key) || this.known.has(key)
      return !isDecided && !row.isZombie && canBeMember(row, this.root, this.protectedPids)
    })
    const answers = await this.table.readTagged(
      undecided.map((row) => row.pid),
      `${SESSION_TAG_VARIABLE}=${this.tag}`,
    )
    for (const row of undecided) {
      const isTagged = answers.get(row.pid)
      if (isTagged !== undefined) (isTagged ? this.tagged : this.untagged).add(identityKey(row))
    }
  }
}
