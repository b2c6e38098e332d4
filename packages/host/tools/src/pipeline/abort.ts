/** One abort per call: the caller's own, the agent's end or the service's, whichever comes first. */

export type AbortOrigin = 'caller' | 'agent' | 'service'

/** Leaves the pipeline from any stage of an aborted call. Never reaches a caller. */
export class CallAborted extends Error {
  override readonly name = 'CallAborted'
}

export class CallAbort {
  private readonly controller = new AbortController()
  private cause: AbortOrigin | undefined
  private readonly onCallerAbort = () => this.abort('caller', this.callerSignal?.reason)

  constructor(private readonly callerSignal: AbortSignal | undefined) {
    if (callerSignal?.aborted) this.onCallerAbort()
    else callerSignal?.addEventListener('abort', this.onCallerAbort, { once: true })
  }

  /** What the tool sees. Its reason is the caller's own when the caller aborted. */
  get signal(): AbortSignal {
    return this.controller.signal
  }

  get origin(): AbortOrigin | undefined {
    return this.cause
  }

  abort(origin: AbortOrigin, reason: unknown): void {
    if (this.cause !== undefined) return
    this.cause = origin
    this.controller.abort(reason)
  }

  throwIfAborted(): void {
    if (this.cause !== undefined) throw new CallAborted()
  }

  release(): void {
    this.callerSignal?.removeEventListener('abort', this.onCallerAbort)
  }
}

export interface StageLimits {
  /** How long an aborted stage may take to stop before the call goes on without it, in milliseconds. */
  readonly abortGraceMs: number
  /** Told when a stage did not stop in time. Its later outcome is dropped. */
  readonly onAbandoned: () => void
}

/**
 * Run one stage to its end. An aborted call waits for the stage to stop, so that its clean-up is over when the caller
 * hears of it, but no longer than the grace.
 * @throws CallAborted when the call was aborted before, during or by the stage; otherwise what the stage threw.
 */
export async function runStage<T>(abort: CallAbort, limits: StageLimits, run: () => T | Promise<T>): Promise<T> {
  abort.throwIfAborted()
  const work = Promise.resolve().then(run)
  await settleOrAbandon(work, abort, limits)
  abort.throwIfAborted()
  return await work
}

async function settleOrAbandon(work: Promise<unknown>, abort: CallAbort, limits: StageLimits): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  let onAbort: () => void = () => undefined
  const abandoned = new Promise<'abandoned'>((resolve) => {
    onAbort = () => {
      timer ??= setTimeout(() => resolve('abandoned'), limits.abortGraceMs)
    }
    abort.signal.addEventListener('abort', onAbort, { once: true })
  })
  const settled = work.then(
    () => 'settled' as const,
    () => 'settled' as const,
  )
  const first = await Promise.race([settled, abandoned])
  clearTimeout(timer)
  abort.signal.removeEventListener('abort', onAbort)
  if (first === 'abandoned') limits.onAbandoned()
}
