/** Who types at one of the agent's terminals: the agent steps back for a person, and hears when it may go on. */
import type { TerminalSessionId, TerminalSessions } from '@agent-terminals/terminal'

export class Keyboard {
  private hasBeenTaken = false
  private hasStrayed = false
  private waiting: (() => void) | undefined
  private readonly stop: () => void

  constructor(
    private readonly terminals: Pick<TerminalSessions, 'observers'>,
    readonly sessionId: TerminalSessionId,
  ) {
    this.stop = terminals.observers.on(sessionId, (_, event) => {
      if (event.type === 'claimed' && event.claim.kind === 'client') this.hasBeenTaken = true
      if (event.type === 'claimed' || event.type === 'exited' || event.type === 'closed') this.waiting?.()
    })
  }

  /** Whether a person has had it since the agent began anew. */
  get wasTaken(): boolean {
    return this.hasBeenTaken
  }

  /** The agent leaves a program that it did not understand. */
  stray(): void {
    this.hasStrayed = true
  }

  /** The agent begins anew. @returns whether it cannot know where it is. */
  begin(): boolean {
    const isLost = this.hasBeenTaken || this.hasStrayed
    this.hasBeenTaken = false
    this.hasStrayed = false
    return isLost
  }

  /** Wait until no person holds it. @returns whether the terminal is still there. @throws the signal's reason. */
  async waitForTurn(signal: AbortSignal): Promise<boolean> {
    for (;;) {
      signal.throwIfAborted()
      const summary = this.terminals.observers.get(this.sessionId)
      if (summary?.status.kind !== 'running') return false
      if (summary.claim.kind !== 'client') return true
      await this.waitForChange(signal)
    }
  }

  release(): void {
    this.stop()
  }

  private waitForChange(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const finish = () => {
        signal.removeEventListener('abort', finish)
        this.waiting = undefined
        resolve()
      }
      this.waiting = finish
      signal.addEventListener('abort', finish, { once: true })
    })
  }
}
