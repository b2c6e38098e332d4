import type { ShellEvent } from '../core/index.js'

/** One line of input with its Enter: what it says, and the bytes that type it. */
export interface FedLine {
  readonly text: string
  readonly bytes: string
}

/**
 * Types the lines of a multi-line input one at a time, each when the shell asks for it with its prompt or its continuation
 * prompt. Bash runs everything it has been given at once to the end, interrupted or not; so what has not been typed yet is all
 * that a cancellation can still take back.
 */
export class LineFeeder {
  private queue: readonly FedLine[] = []

  constructor(private readonly type: (line: FedLine) => void) {}

  get remaining(): number {
    return this.queue.length
  }

  get remainingBytes(): number {
    return this.queue.reduce((sum, line) => sum + Buffer.byteLength(line.bytes), 0)
  }

  add(lines: readonly FedLine[]): void {
    this.queue = [...this.queue, ...lines]
  }

  /** @returns how many lines that were. */
  drop(): number {
    const { length } = this.queue
    this.queue = []
    return length
  }

  /** @returns whether the shell has been given its next line, so that this prompt is not the one to stop at. */
  handle(event: ShellEvent): boolean {
    if (event.kind !== 'prompt-end' && event.kind !== 'continuation') return false
    const [next, ...rest] = this.queue
    if (!next) return false
    this.queue = rest
    this.type(next)
    return true
  }
}
