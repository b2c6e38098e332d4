/** A send as the service hands it out: its reservation ends in the very turn in which its outcome is known. */
import { type Deferred, defer } from './deferred.js'
import { TerminalError } from './errors.js'
import type { SendOutcome, SendProgress, TerminalSend, Unseen } from './types.js'

type SettledSend = Extract<SendOutcome, { readonly kind: 'settled' }>

export interface SendSurroundings {
  /** What no send has shown so far. Taken once, by the send that tells it. */
  readonly takeUnseen: () => Unseen | undefined
  /** End the reservation. */
  readonly free: () => void
}

export class ActiveSend implements TerminalSend {
  private isSettled = false
  private readonly settlement: Deferred<SendOutcome> = defer()

  constructor(
    private readonly operation: TerminalSend,
    private readonly around: SendSurroundings,
  ) {
    operation.outcome.then(
      (outcome) => this.settle(outcome),
      (error: unknown) => this.settle({ kind: 'failed', error: toError(error) }),
    )
  }

  get hasBegun(): boolean {
    return this.operation.hasBegun ?? true
  }

  get outcome(): Promise<SendOutcome> {
    return this.settlement.promise
  }

  cancel(reason: unknown): void {
    if (!this.isSettled) this.operation.cancel(reason)
  }

  release(note: string): void {
    if (!this.isSettled) this.operation.release?.(note)
  }

  progress(): SendProgress {
    return this.operation.progress()
  }

  /** The terminal has been closed, or could not be, and the backend has not said how the send ended. */
  abandon(): void {
    const error = new TerminalError('SESSION_CLOSING', 'The terminal was closed before the send could settle.')
    this.settle({ kind: 'failed', error })
  }

  private settle(outcome: SendOutcome): void {
    if (this.isSettled) return
    this.isSettled = true
    this.around.free()
    this.settlement.resolve(outcome.kind === 'settled' ? withUnseen(outcome, this.around.takeUnseen()) : outcome)
  }
}

function withUnseen(outcome: SettledSend, unseen: Unseen | undefined): SendOutcome {
  if (unseen === undefined) return outcome
  return { ...outcome, result: { ...outcome.result, unseen } }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
