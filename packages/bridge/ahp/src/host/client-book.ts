/** Which clients have been here, as whom, and whether they still are. Sheet §5.7 and §15. */
import { AhpError } from '../protocol/index.js'

interface ClientRecord {
  readonly principal: string
  version: string
  liveConnections: number
  /** Epoch milliseconds; meaningful while nothing is connected. */
  lastSeenAt: number
}

export class ClientBook {
  private readonly records = new Map<string, ClientRecord>()

  constructor(
    private readonly maxClients: number,
    private readonly now: () => number,
  ) {}

  /**
   * Bind an id to its principal at first use, and count the connection.
   * @throws AhpError `PermissionDenied` when the id is another principal's, or too many are remembered.
   */
  enter(clientId: string, principal: string, version: string): void {
    this.check(clientId, principal)
    const known = this.records.get(clientId)
    if (!known) this.makeRoom(principal)
    const record = known ?? { principal, version, liveConnections: 0, lastSeenAt: this.now() }
    record.version = version
    record.liveConnections++
    // Newest last, so that those that have been away longest are forgotten first.
    this.records.delete(clientId)
    this.records.set(clientId, record)
  }

  leave(clientId: string): void {
    const record = this.records.get(clientId)
    if (!record) return
    record.liveConnections--
    record.lastSeenAt = this.now()
  }

  /** @throws AhpError `PermissionDenied`. */
  check(clientId: string, principal: string): void {
    const record = this.records.get(clientId)
    if (record && record.principal !== principal) {
      throw AhpError.of('PermissionDenied', 'this client id belongs to somebody else; use another one')
    }
  }

  /** The version a client agreed on before, if it has been here. */
  versionOf(clientId: string): string | undefined {
    return this.records.get(clientId)?.version
  }

  principalOf(clientId: string): string | undefined {
    return this.records.get(clientId)?.principal
  }

  /** Milliseconds since a client was last connected; 0 while it is. @param sinceMs - what to count from for one never seen. */
  goneMs(clientId: string, since: number): number {
    const record = this.records.get(clientId)
    if (record && record.liveConnections > 0) return 0
    return this.now() - Math.max(since, record?.lastSeenAt ?? 0)
  }

  /** Only one's own ids are forgotten: nobody may free another's by using up the room. */
  private makeRoom(principal: string): void {
    if (this.records.size < this.maxClients) return
    for (const [clientId, record] of this.records) {
      if (record.principal !== principal || record.liveConnections > 0) continue
      this.records.delete(clientId)
      return
    }
    throw AhpError.of('PermissionDenied', `there are ${this.maxClients} clients, as many as can be remembered`)
  }
}
