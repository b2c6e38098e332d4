/** Own actions whose outcome is not known yet. Sheet §11: no optimism, and nothing is ever sent again by itself. */
import type { ActionEnvelope } from '../protocol/index.js'

export type DispatchOutcome =
  | { readonly kind: 'accepted'; readonly serverSeq: number }
  | { readonly kind: 'rejected'; readonly reason: string }
  /** Done or lost, one cannot know: the connection broke, the channel is gone, or it is not subscribed so that no echo comes. */
  | { readonly kind: 'unknown' }
  /** Not sent: the confirmed state says that it would be refused. */
  | { readonly kind: 'withheld'; readonly reason: string }

interface PendingAction {
  readonly channel: string
  readonly settle: (outcome: DispatchOutcome) => void
}

export class PendingActions {
  private readonly actions = new Map<number, PendingAction>()

  get size(): number {
    return this.actions.size
  }

  add(clientSeq: number, channel: string): Promise<DispatchOutcome> {
    return new Promise((settle) => {
      this.actions.set(clientSeq, { channel, settle })
    })
  }

  /** An envelope with our own origin. */
  settle(clientSeq: number, { serverSeq, rejectionReason }: ActionEnvelope): void {
    const action = this.actions.get(clientSeq)
    this.actions.delete(clientSeq)
    action?.settle(
      rejectionReason === undefined ? { kind: 'accepted', serverSeq } : { kind: 'rejected', reason: rejectionReason },
    )
  }

  /** Nobody will say any more what became of them. @param channel - all channels when left out. */
  giveUp(channel?: string): void {
    for (const [clientSeq, action] of [...this.actions]) {
      if (channel !== undefined && action.channel !== channel) continue
      this.actions.delete(clientSeq)
      action.settle({ kind: 'unknown' })
    }
  }
}
