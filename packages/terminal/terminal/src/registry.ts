/** Which terminals and owners there are. Answers "whose is it"; what a terminal allows is the session's matter. */
import { TerminalError } from './errors.js'
import { identityOf, type OwnerRecord } from './owner.js'
import type { Session } from './session.js'
import type { TerminalOwner, TerminalSessionId } from './types.js'

export class SessionRegistry {
  private readonly sessions = new Map<string, Session>()
  private readonly owners = new Map<TerminalOwner, OwnerRecord>()
  /** Terminals whose owner is gone: a person has them, or their end failed. The service owns them. */
  private readonly orphans = new Set<Session>()

  recordOf(owner: TerminalOwner): OwnerRecord | undefined {
    return this.owners.get(identityOf(owner))
  }

  addOwner(record: OwnerRecord): void {
    this.owners.set(record.owner, record)
  }

  add(record: OwnerRecord, session: Session): void {
    record.sessions.add(session)
    this.sessions.set(session.id, session)
  }

  /** A terminal has ended. @returns those of its owner that ended longest ago and are more than may be kept. */
  noteEnded(id: TerminalSessionId, maxKept: number): readonly Session[] {
    const session = this.sessions.get(id)
    const record = session && this.owners.get(session.spec.owner)
    if (!record) return []
    record.ended.add(session)
    return [...record.ended].slice(0, Math.max(0, record.ended.size - maxKept))
  }

  /** Forget a terminal; forget its owner too when it was the last one. */
  remove(id: TerminalSessionId): void {
    const session = this.sessions.get(id)
    if (!session) return
    this.sessions.delete(id)
    this.orphans.delete(session)
    const record = this.owners.get(session.spec.owner)
    record?.ended.delete(session)
    if (record?.sessions.delete(session)) this.dropIfIdle(record)
  }

  /** Forget an owner that has nothing any more. */
  dropIfIdle(record: OwnerRecord): void {
    if (record.sessions.size > 0 || this.owners.get(record.owner) !== record) return
    this.owners.delete(record.owner)
    record.detach()
  }

  /** Forget an owner. What it still has is the service's from now on. */
  orphan(record: OwnerRecord): void {
    this.owners.delete(record.owner)
    record.detach()
    for (const session of record.sessions) this.orphans.add(session)
    record.sessions.clear()
    record.ended.clear()
  }

  /** @throws TerminalError `UNKNOWN_SESSION`, in the same words for a foreign id and for one that never was. */
  find(owner: TerminalOwner, id: TerminalSessionId): Session {
    const session = this.sessions.get(id)
    if (session?.isPublished && this.recordOf(owner)?.sessions.has(session)) return session
    throw unknownSession(id)
  }

  /** @throws TerminalError `UNKNOWN_SESSION`. */
  findAny(id: TerminalSessionId): Session {
    const session = this.sessions.get(id)
    if (session?.isPublished) return session
    throw unknownSession(id)
  }

  published(): readonly Session[] {
    return [...this.sessions.values()].filter((session) => session.isPublished)
  }

  ownerRecords(): readonly OwnerRecord[] {
    return [...this.owners.values()]
  }

  orphaned(): readonly Session[] {
    return [...this.orphans]
  }

  isOrphan(session: Session): boolean {
    return this.orphans.has(session)
  }

  clear(): void {
    for (const record of this.ownerRecords()) record.detach()
    this.sessions.clear()
    this.owners.clear()
    this.orphans.clear()
  }
}

function unknownSession(id: string): TerminalError {
  const shown = JSON.stringify(id.slice(0, 64))
  return new TerminalError(
    'UNKNOWN_SESSION',
    `No terminal with the id ${shown} belongs to you. List your terminals to see the ids, or open one.`,
  )
}
