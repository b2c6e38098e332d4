/** What happens to a terminal while nobody waits for it: the next send tells, because no send has shown it. */

/** How the last command that ended has ended. */
interface CommandEnd {
  readonly exitCode: number | undefined
  readonly durationMs: number
}

export interface Unseen {
  /** Finished lines of output. */
  readonly lines: number
  readonly exitCode?: number
  /** Run time in milliseconds of the last command that ended. Absent when none did. */
  readonly durationMs?: number
}

const LINE_FEED = 0x0a

export class BetweenSends {
  private lines = 0
  private ended: CommandEnd | undefined

  addOutput(bytes: Uint8Array): void {
    for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) this.lines++
  }

  addCommandEnd(end: CommandEnd): void {
    this.ended = end
  }

  /** @returns what has gathered, if anything has, and gathers anew. */
  take(): Unseen | undefined {
    const { lines, ended } = this
    this.lines = 0
    this.ended = undefined
    if (lines === 0 && ended === undefined) return undefined
    if (ended === undefined) return { lines }
    const { exitCode, durationMs } = ended
    return { lines, durationMs, ...(exitCode === undefined ? {} : { exitCode }) }
  }
}
