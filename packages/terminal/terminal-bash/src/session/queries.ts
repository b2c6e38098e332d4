import type { PromptPhase, TerminalQuery } from '../core/index.js'
import type { Clock } from './clock.js'

/** A place on the screen, from 1. */
interface Place {
  readonly row: number
  readonly column: number
}

/** Control functions: ECMA-48 (CPR, DSR), xterm ctlseqs (DA1, DA2, OSC 10, DECRPM). */
export function renderAnswer(query: TerminalQuery, { row, column }: Place): string {
  switch (query) {
    case 'cursor-position':
      return `\x1b[${row};${column}R`
    case 'device-status':
      return '\x1b[0n'
    case 'primary-attributes':
      return '\x1b[?62;22c'
    case 'secondary-attributes':
      return '\x1b[>0;276;0c'
    // A dark terminal, as most are: programs choose readable colours by it.
    case 'foreground-color':
      return '\x1b]10;rgb:e5e5/e5e5/e5e5\x1b\\'
    case 'background-color':
      return '\x1b]11;rgb:0000/0000/0000\x1b\\'
    default:
      // DECRPM, "not recognized": whoever asks gets its answer and leaves the mode alone.
      return `\x1b[?${query.slice('mode:'.length)};0$y`
  }
}

type Reader = 'program' | 'shell' | 'nobody' | 'unknown'

interface Question {
  readonly query: TerminalQuery
  readonly place: Promise<Place>
}

export interface QueryOptions {
  readonly clock: Clock
  readonly phase: () => PromptPhase
  /** Where the cursor is after everything that came before the question. */
  readonly cursor: () => Promise<Place>
  /** Who reads from the terminal now. */
  readonly reader: () => Promise<Reader>
  readonly write: (data: string) => void
}

/** An asker that does not start to read within this time after its answer is known has gone. */
const PATIENCE_MS = 2_000
/**
 * Where it is not certain that all output has been read, the mark of a prompt may be on its way when the shell is seen reading: a
 * `read` of a script still reads then.
 */
const PROMPT_PATIENCE_MS = 10

/**
 * Answers queries once, and only to a program that reads: an answer that nobody reads would be typed at the next prompt. So it
 * is kept until the foreground reads, and dropped when the prompt comes first.
 */
export class QueryResponder {
  private waiting: Question[] = []
  private cancelTimer: (() => void) | undefined

  constructor(private readonly options: QueryOptions) {}

  ask(query: TerminalQuery): void {
    if (!this.isProgramInFront()) return
    this.waiting.push({ query, place: this.options.cursor() })
    if (this.waiting.length === 1) this.attend()
  }

  /** Whether a program waits for the terminal's answer, and so for nobody else's input. */
  get isPending(): boolean {
    return this.waiting.length > 0
  }

  close(): void {
    this.cancelTimer?.()
    this.cancelTimer = undefined
    this.waiting = []
  }

  private isProgramInFront(): boolean {
    const phase = this.options.phase()
    return phase === 'running' || phase === 'lost' || phase === 'doubtful' || phase === 'starting'
  }

  /**
   * @param knownAt - since when the answers have been known: the first takes an emulator that may have to be loaded.
   * @param shellSince - since when the shell itself has been seen reading.
   */
  private attend(knownAt?: number, shellSince?: number): void {
    this.cancelTimer = undefined
    const { clock } = this.options
    const look = async () => {
      const places = await Promise.all(this.waiting.map(({ place }) => place))
      const since = knownAt ?? clock.now()
      const reader = await this.options.reader().catch((): Reader => 'unknown')
      if (this.waiting.length === 0) return
      const now = clock.now()
      const isShellProven = reader === 'shell' && now - (shellSince ?? now) >= PROMPT_PATIENCE_MS
      if (!this.isProgramInFront() || now - since > PATIENCE_MS) this.close()
      else if (reader === 'program' || reader === 'unknown' || isShellProven) this.reply(places)
      else {
        const reading = reader === 'shell' ? (shellSince ?? now) : undefined
        this.cancelTimer = clock.schedule(Math.max(1, (now - since) / 4), () => this.attend(since, reading))
      }
    }
    void look()
  }

  /** A question that has come meanwhile waits for its own place. */
  private reply(places: readonly Place[]): void {
    const answered = this.waiting.slice(0, places.length)
    this.waiting = this.waiting.slice(places.length)
    const answers = answered.map(({ query }, index) => renderAnswer(query, places[index] ?? { row: 1, column: 1 }))
    this.options.write(answers.join(''))
    if (this.waiting.length > 0) this.attend()
  }
}
