import type { Clock } from './clock.js'
import type { LineMatcher } from './output-match.js'

export interface MatchOptions {
  readonly clock: Clock
  readonly isMatch: LineMatcher
  /** The last line of the new output, which may not be finished. */
  readonly openLine: () => string
  /** What is on the screen, when a program draws one. */
  readonly rows: () => Promise<readonly string[]> | undefined
  readonly onMatch: (line: string) => void
}

/** Unfinished lines and screens are looked at this often at most: they may change with every byte. */
const PAUSE_MS = 20

/**
 * Looks for a line among new output: finished lines at once, the unfinished line and the rows of a screen soon after they have
 * changed. Rows that were on the screen before are old.
 */
export class MatchWatch {
  private state: 'watching' | 'done' = 'watching'
  private cancelTimer: (() => void) | undefined
  private oldRows: Promise<ReadonlySet<string>>

  constructor(private readonly options: MatchOptions) {
    const rows = options.rows() ?? Promise.resolve([])
    this.oldRows = rows.then(
      (each) => new Set(each),
      () => new Set(),
    )
  }

  handleLines(text: string): void {
    for (const line of text.split('\n')) this.consider(line)
  }

  handleChange(): void {
    if (this.state === 'done' || this.cancelTimer) return
    this.cancelTimer = this.options.clock.schedule(PAUSE_MS, () => {
      this.cancelTimer = undefined
      void this.look()
    })
  }

  /** Look once more, now: what has come last may not have been looked at. @returns whether something matches. */
  finish(): boolean {
    if (this.state === 'watching') this.consider(this.options.openLine())
    return this.state === 'done'
  }

  stop(): void {
    this.state = 'done'
    this.cancelTimer?.()
    this.cancelTimer = undefined
  }

  private async look(): Promise<void> {
    this.consider(this.options.openLine())
    if (this.state === 'done') return
    const old = await this.oldRows
    const rows = (await this.options.rows()?.catch(() => [])) ?? []
    for (const row of rows) if (!old.has(row)) this.consider(row)
  }

  private consider(line: string): void {
    if (this.state === 'done' || line === '' || !this.options.isMatch(line)) return
    this.stop()
    this.options.onMatch(line)
  }
}
