import type { Look, PromptPhase, TerminalQuery, WaitSeen } from '../core/index.js'
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

/** Who reads from the terminal, and the waits that show it. */
interface Reader {
  readonly kind: 'program' | 'shell' | 'nobody' | 'unknown'
  readonly waits: readonly WaitSeen[]
}

const UNKNOWN: Reader = { kind: 'unknown', waits: [] }

/** Where all output has been read and no prompt was in it, a shell that reads is a program like any other. */
export function findReader(look: Look | undefined): Reader {
  if (!look?.waitsKnown) return UNKNOWN
  const { waits } = look
  if (waits.length === 0) return { kind: 'nobody', waits }
  return { kind: look.isShell && !look.outputRead ? 'shell' : 'program', waits }
}

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

/** An answer wakes whoever waits for it within this time; a reader of whole lines it does not wake. */
const ANSWER_TRANSIT_MS = 100

/**
 * Answers queries once, and only to a program that reads: an answer that nobody reads would be typed at the next prompt. So it
 * is kept until the foreground reads, and dropped when the prompt comes first.
 */
export class QueryResponder {
  private waiting: Question[] = []
  private cancelTimer: (() => void) | undefined
  /** What the last answer was given to. */
  private answered: { readonly at: number; readonly waits: readonly WaitSeen[] } = { at: 0, waits: [] }

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

  /** Whether a wait is the one that an answer, still on its way, will end. */
  isAnswered({ pid, tid, wakeups }: WaitSeen): boolean {
    const { at, waits } = this.answered
    if (this.options.clock.now() - at >= ANSWER_TRANSIT_MS) return false
    return waits.some((wait) => wait.pid === pid && wait.tid === tid && wakeups <= wait.wakeups)
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
      await this.places()
      const since = knownAt ?? clock.now()
      const { kind, waits } = await this.options.reader().catch(() => UNKNOWN)
      // Of all that have been asked by now: answers that come together are read together.
      const places = await this.places()
      if (this.waiting.length === 0) return
      const now = clock.now()
      const isShellProven = kind === 'shell' && now - (shellSince ?? now) >= PROMPT_PATIENCE_MS
      if (!this.isProgramInFront() || now - since > PATIENCE_MS) this.close()
      else if (kind === 'program' || kind === 'unknown' || isShellProven) this.reply(places, waits)
      else {
        const reading = kind === 'shell' ? (shellSince ?? now) : undefined
        this.cancelTimer = clock.schedule(Math.max(1, (now - since) / 4), () => this.attend(since, reading))
      }
    }
    void look()
  }

  private places(): Promise<readonly Place[]> {
    return Promise.all(this.waiting.map(({ place }) => place))
  }

  /** A question that has come meanwhile waits for its own place. */
  private reply(places: readonly Place[], waits: readonly WaitSeen[]): void {
    this.answered = { at: this.options.clock.now(), waits }
    const answered = this.waiting.slice(0, places.length)
    this.waiting = this.waiting.slice(places.length)
    const answers = answered.map(({ query }, index) => renderAnswer(query, places[index] ?? { row: 1, column: 1 }))
    this.options.write(answers.join(''))
    if (this.waiting.length > 0) this.attend()
  }
}
