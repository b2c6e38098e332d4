/** Input on its way to the kernel: in order, in pieces, with growing pauses while the program does not read. */
import { nextPauseMs } from '../core/index.js'

/** Handed over per turn of the event loop at most, so that reading keeps up with writing. */
const TURN_BYTES = 65_536
const PIECE_BYTES = 16_384

interface Entry {
  readonly bytes: Uint8Array
  takenBytes: number
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
}

type Phase =
  | { readonly kind: 'idle' }
  | { readonly kind: 'waiting'; readonly cancel: () => void }
  | { readonly kind: 'closed'; readonly error: Error }

/** Next turn of the loop for 0 ms, a timer otherwise. */
function schedule(delayMs: number, run: () => void): () => void {
  if (delayMs === 0) {
    const immediate = setImmediate(run)
    return () => clearImmediate(immediate)
  }
  const timer = setTimeout(run, delayMs)
  return () => clearTimeout(timer)
}

export class InputQueue {
  private readonly entries: Entry[] = []
  private phase: Phase = { kind: 'idle' }
  private queuedBytes = 0

  /** @param take - hands bytes to the kernel without waiting and says how many it took. */
  constructor(private readonly take: (bytes: Uint8Array) => number) {}

  /** Bytes queued that the kernel has not taken yet. */
  get pendingBytes(): number {
    return this.queuedBytes
  }

  async write(data: Uint8Array | string, signal?: AbortSignal): Promise<void> {
    if (this.phase.kind === 'closed') throw this.phase.error
    signal?.throwIfAborted()
    let handleAbort: (() => void) | undefined
    try {
      await new Promise<void>((resolve, reject) => {
        // A copy, because the caller may reuse its buffer.
        const entry: Entry = { bytes: Buffer.from(data), takenBytes: 0, resolve, reject }
        handleAbort = () => this.drop(entry, signal?.reason)
        signal?.addEventListener('abort', handleAbort)
        this.entries.push(entry)
        this.queuedBytes += entry.bytes.byteLength
        if (this.phase.kind === 'idle') this.advance(0)
      })
    } finally {
      if (handleAbort) signal?.removeEventListener('abort', handleAbort)
    }
  }

  /** The terminal has ended: what was not taken never will be. */
  close(error: Error): void {
    if (this.phase.kind === 'closed') return
    if (this.phase.kind === 'waiting') this.phase.cancel()
    this.phase = { kind: 'closed', error }
    this.queuedBytes = 0
    for (const entry of this.entries.splice(0)) entry.reject(error)
  }

  /** Take an entry out of the queue, with what is left of it. */
  private drop(entry: Entry, reason: unknown): void {
    const index = this.entries.indexOf(entry)
    if (index < 0) return
    this.entries.splice(index, 1)
    this.queuedBytes -= entry.bytes.byteLength - entry.takenBytes
    entry.reject(reason)
    if (this.entries.length === 0 && this.phase.kind === 'waiting') {
      this.phase.cancel()
      this.phase = { kind: 'idle' }
    }
  }

  /** @param lastPauseMs - the pause that came before; 0 after progress. */
  private advance(lastPauseMs: number): void {
    let turnBytes = 0
    let refusedAfterMs = lastPauseMs
    for (let entry = this.entries[0]; entry && turnBytes < TURN_BYTES; entry = this.entries[0]) {
      if (this.takePiece(entry) === 'refused') {
        this.continueAfter(nextPauseMs(refusedAfterMs))
        return
      }
      refusedAfterMs = 0
      turnBytes += PIECE_BYTES
    }
    if (this.entries.length === 0) this.phase = { kind: 'idle' }
    else this.continueAfter(0)
  }

  private takePiece(entry: Entry): 'taken' | 'refused' {
    const piece = entry.bytes.subarray(entry.takenBytes, entry.takenBytes + PIECE_BYTES)
    if (piece.byteLength > 0) {
      let count: number
      try {
        count = this.take(piece)
      } catch (error) {
        this.drop(entry, error)
        return 'taken'
      }
      if (count === 0) return 'refused'
      entry.takenBytes += count
      this.queuedBytes -= count
    }
    if (entry.takenBytes === entry.bytes.byteLength) {
      this.entries.shift()
      entry.resolve()
    }
    return 'taken'
  }

  private continueAfter(pauseMs: number): void {
    this.phase = { kind: 'waiting', cancel: schedule(pauseMs, () => this.advance(pauseMs)) }
  }
}
