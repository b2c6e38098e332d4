/** Live HTTP sessions by id. One that nobody asks anything of, and nobody listens to, ends after a while. */
import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Connection } from '../connection/connection.js'

export interface HttpSession {
  readonly id: string
  readonly transport: StreamableHTTPServerTransport
  readonly connection: Connection
}

interface Entry {
  readonly session: HttpSession
  /** Requests and streams that are open now. */
  exchanges: number
  idleTimer: ReturnType<typeof setTimeout> | undefined
}

export interface SessionsOptions {
  readonly maxSessions: number
  readonly idleSessionMs: number
  /** Told when a session could not release everything. */
  readonly onFailure: (error: unknown) => void
}

export class HttpSessions {
  private readonly entries = new Map<string, Entry>()
  private opening = 0

  constructor(private readonly options: SessionsOptions) {}

  get size(): number {
    return this.entries.size
  }

  /** A place for a session that is being opened. @returns its release, for when it has been added or has failed; nothing when all are taken. */
  reserve(): (() => void) | undefined {
    if (this.entries.size + this.opening >= this.options.maxSessions) return undefined
    this.opening++
    return () => void this.opening--
  }

  add(session: HttpSession): void {
    const entry: Entry = { session, exchanges: 0, idleTimer: undefined }
    this.entries.set(session.id, entry)
    this.armIdle(entry)
    const forget = () => {
      clearTimeout(entry.idleTimer)
      this.entries.delete(session.id)
    }
    session.connection.ended.then(forget, (error) => {
      forget()
      this.options.onFailure(error)
    })
  }

  find(id: string): HttpSession | undefined {
    return this.entries.get(id)?.session
  }

  /** An exchange of the session begins. @returns its end. */
  enter(id: string): () => void {
    const entry = this.entries.get(id)
    if (!entry) return () => undefined
    entry.exchanges++
    clearTimeout(entry.idleTimer)
    let hasLeft = false
    return () => {
      if (hasLeft) return
      hasLeft = true
      entry.exchanges--
      if (entry.exchanges === 0 && this.entries.get(id) === entry) this.armIdle(entry)
    }
  }

  /** End all, awaited. Failures have been told. */
  async closeAll(): Promise<void> {
    await Promise.allSettled([...this.entries.values()].map(({ session }) => session.connection.close()))
  }

  private armIdle(entry: Entry): void {
    clearTimeout(entry.idleTimer)
    entry.idleTimer = setTimeout(() => {
      entry.session.connection.close().catch(() => undefined)
    }, this.options.idleSessionMs)
  }
}
