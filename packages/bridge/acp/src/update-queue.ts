/** One way out for everything that concerns a session: strictly in order, one message at a time, at the client's speed. */
import type { SessionUpdate } from '@agentclientprotocol/sdk'

/** Gives its messages when its turn has come, and not before. */
export type Task = () => Iterable<SessionUpdate>

export class UpdateQueue {
  private last: Promise<void> = Promise.resolve()
  private isClosed = false
  private release: () => void = () => undefined
  private readonly closed = new Promise<void>((resolve) => {
    this.release = resolve
  })

  /** @param send - resolves when the message is on its way; rejects when the connection has gone. */
  constructor(private readonly send: (update: SessionUpdate) => Promise<void>) {}

  add(task: Task): void {
    this.last = this.last.then(() => this.run(task))
  }

  /** Resolves when everything added so far has been sent or dropped. */
  async idle(): Promise<void> {
    await Promise.race([this.last, this.closed])
  }

  /** Drop what has not been sent: nobody is there any more, or nobody reads. */
  close(): void {
    this.isClosed = true
    this.release()
  }

  private async run(task: Task): Promise<void> {
    try {
      for (const update of task()) {
        if (this.isClosed) return
        await this.send(update)
      }
    } catch {
      // Only a connection that has gone refuses a notification.
      this.close()
    }
  }
}
