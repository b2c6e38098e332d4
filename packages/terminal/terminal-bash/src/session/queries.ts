import type { PromptPhase, TerminalQuery } from '../core/index.js'
import type { Clock } from './clock.js'

/**
 * Answers for a terminal that keeps lines and no screen. Control functions: ECMA-48 (CPR, DSR), xterm ctlseqs (DA1, DA2).
 * The position is plausible rather than true: column 1 of the last row, where line-oriented output happens.
 */
export function renderAnswer(query: TerminalQuery, rows: number): string {
  switch (query) {
    case 'cursor-position':
      return `\x1b[${rows};1R`
    case 'device-status':
      return '\x1b[0n'
    case 'primary-attributes':
      return '\x1b[?62;22c'
    case 'secondary-attributes':
      return '\x1b[>0;276;0c'
  }
}

export interface QueryOptions {
  readonly clock: Clock
  readonly phase: () => PromptPhase
  readonly rows: () => number
  /** Whether a program in the foreground reads from the terminal now; `undefined` when that cannot be known. */
  readonly isRead: () => Promise<boolean | undefined>
  readonly write: (data: string) => void
}

/** An asker that does not start to read within this time has gone. */
const PATIENCE_MS = 500

/**
 * Answers queries once, and only to a program that reads: an answer that nobody reads would be typed at the next prompt. So it
 * is kept until the foreground reads, and dropped when the prompt comes first.
 */
export class QueryResponder {
  private waiting: TerminalQuery[] = []
  private cancelTimer: (() => void) | undefined

  constructor(private readonly options: QueryOptions) {}

  ask(query: TerminalQuery): void {
    if (!this.isProgramInFront()) return
    this.waiting.push(query)
    if (this.waiting.length === 1) this.attend(this.options.clock.now())
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

  private attend(since: number): void {
    this.cancelTimer = undefined
    const { clock } = this.options
    const answer = (isRead: boolean | undefined) => {
      if (this.waiting.length === 0) return
      if (!this.isProgramInFront() || clock.now() - since > PATIENCE_MS) this.close()
      else if (isRead === false)
        this.cancelTimer = clock.schedule(Math.max(1, (clock.now() - since) / 4), () => this.attend(since))
      else this.reply()
    }
    this.options.isRead().then(answer, () => answer(undefined))
  }

  private reply(): void {
    const answers = this.waiting.map((query) => renderAnswer(query, this.options.rows()))
    this.waiting = []
    this.options.write(answers.join(''))
  }
}
