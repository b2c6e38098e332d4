/**
 * Joins reads, so that a flood costs by its bytes and not by its reads: the kernel hands a PTY's output over in at most 4 KiB at a
 * time. What comes after quiet is passed on at once.
 */

export interface OutputJoinerOptions {
  /** Takes joined bytes. They are borrowed, too: the next read goes to the same place. */
  readonly handleChunk: (chunk: Uint8Array) => void
  /** Monotonic milliseconds. */
  readonly now: () => number
  /** Run `callback` once after `delayMs`. @returns a release. */
  readonly schedule: (delayMs: number, callback: () => void) => () => void
}

/** A chunk is never longer, so that one terminal's flood leaves the event loop to others. */
export const MAX_CHUNK_BYTES = 65_536
/** So much at once is a flood: what follows may wait for company. One read of a PTY is never much more. */
export const FLOOD_BYTES = 4_095
/** For how long bytes may wait. A flood is over when nothing has come for twice as long. */
export const COMPANY_MS = 1

export class OutputJoiner {
  private readonly buffer = Buffer.allocUnsafeSlow(MAX_CHUNK_BYTES)
  private used = 0
  /** When the last chunk was passed on, if it was one of a flood. */
  private floodAt: number | undefined
  private cancel: (() => void) | undefined

  constructor(private readonly options: OutputJoinerOptions) {}

  /** Not to be called from within `handleChunk`. @param bytes - borrowed: copied or passed on before this returns. */
  take(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; ) {
      const part = bytes.subarray(from, from + MAX_CHUNK_BYTES - this.used)
      this.buffer.set(part, this.used)
      this.used += part.length
      from += part.length
      if (this.used === MAX_CHUNK_BYTES) this.flush()
    }
    if (this.used === 0 || this.cancel !== undefined) return
    if (this.isInFlood()) this.cancel = this.options.schedule(COMPANY_MS, () => this.flush())
    else this.flush()
  }

  /** Pass on what has been read up to now. */
  flush(): void {
    this.cancel?.()
    this.cancel = undefined
    const { used } = this
    if (used === 0) return
    this.floodAt = used >= FLOOD_BYTES ? this.options.now() : undefined
    this.used = 0
    this.options.handleChunk(this.buffer.subarray(0, used))
  }

  private isInFlood(): boolean {
    return this.floodAt !== undefined && this.options.now() - this.floodAt <= 2 * COMPANY_MS
  }
}
