/**
 * Search in the drawn output. The search addon of xterm.js 6 reads a wrapped line once for every row of it and recurses over
 * the rows, which a line of some megabytes turns into a stack overflow; this reads every line once.
 */
import type { IDecoration, Terminal } from '@xterm/xterm'
import { compileQuery, findMatches, type Query } from '../core/matches.js'
import { type CellRange, type DrawnLine, locate, readLines } from './buffer-lines.js'
import type { MatchColours } from './palette.js'

export interface Results {
  /** From 0, the oldest. */
  readonly index: number
  readonly count: number
  /** There are more. */
  readonly isLimited: boolean
}

export interface FinderOptions {
  readonly terminal: Terminal
  readonly colours: () => MatchColours
  readonly onResults: (results: Results | undefined) => void
}

const MAX_MATCHES = 1_000
/** Output that comes while one searches is searched again when it pauses, and once in a while when it does not. */
const AGAIN_AFTER_MS = 250

export class Finder {
  private query: Query | undefined
  private matches: readonly (readonly CellRange[])[] = []
  private isLimited = false
  private index = -1
  private decorations: IDecoration[] = []
  private timer: ReturnType<typeof setTimeout> | undefined
  private readonly written

  constructor(private readonly options: FinderOptions) {
    this.written = options.terminal.onWriteParsed(() => this.searchSoon())
  }

  dispose(): void {
    this.end()
    this.written.dispose()
  }

  /** Begin at the newest match. */
  start(query: Query): void {
    this.query = query
    this.search()
    this.goTo(this.matches.length - 1)
  }

  /** Matches go round. */
  step(direction: 'newer' | 'older'): void {
    const count = this.matches.length
    if (count > 0) this.goTo((this.index + (direction === 'newer' ? 1 : -1) + count) % count)
  }

  end(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    this.query = undefined
    this.matches = []
    this.undecorate()
    this.options.onResults(undefined)
  }

  /** Colours have changed. */
  redraw(): void {
    if (this.query) this.decorate()
  }

  private searchSoon(): void {
    if (!this.query) return
    this.timer ??= setTimeout(() => {
      this.timer = undefined
      this.searchAgain()
    }, AGAIN_AFTER_MS)
  }

  /** What was gone to stays where it is, as long as it is there. */
  private searchAgain(): void {
    const line = this.decorations[0]?.marker.line
    const column = this.matches[this.index]?.[0]?.column
    this.search()
    const same = this.matches.findIndex(([first]) => first?.row === line && first?.column === column)
    this.index = same === -1 ? Math.min(Math.max(this.index, 0), this.matches.length - 1) : same
    this.decorate()
  }

  private search(): void {
    const { terminal } = this.options
    const pattern = this.query && compileQuery(this.query)
    if (!pattern) {
      this.matches = []
      return
    }
    const drawn = new Map<number, DrawnLine>()
    const remember = function* () {
      for (const line of readLines(terminal)) {
        drawn.set(line.row, line)
        yield line
      }
    }
    const { matches, isComplete } = findMatches(remember(), pattern, MAX_MATCHES)
    this.isLimited = !isComplete
    this.matches = matches.map((match) => {
      const line = drawn.get(match.line.row)
      return line ? locate(terminal, line, match) : []
    })
  }

  private goTo(index: number): void {
    this.index = index
    this.decorate()
    const row = this.matches[index]?.[0]?.row
    if (row === undefined) return
    const { terminal } = this.options
    const top = terminal.buffer.active.viewportY
    if (row < top || row >= top + terminal.rows) terminal.scrollToLine(Math.max(0, row - Math.floor(terminal.rows / 2)))
  }

  private decorate(): void {
    this.undecorate()
    const { matches, index, isLimited } = this
    const { active, others } = this.options.colours()
    for (const range of matches[index] ?? []) this.mark(range, active)
    matches.forEach((ranges, each) => {
      if (each !== index) for (const range of ranges) this.mark(range, others)
    })
    const isValid = this.query !== undefined && compileQuery(this.query) !== undefined
    this.options.onResults(isValid ? { index, count: matches.length, isLimited } : undefined)
  }

  private mark({ row, column, width }: CellRange, { background, foreground, ruler }: MatchColours['active']): void {
    const { terminal } = this.options
    const { baseY, cursorY } = terminal.buffer.active
    const marker = terminal.registerMarker(row - baseY - cursorY)
    const decoration = terminal.registerDecoration({
      marker,
      x: column,
      width,
      backgroundColor: background,
      foregroundColor: foreground,
      overviewRulerOptions: { color: ruler },
    })
    if (decoration) this.decorations.push(decoration)
    else marker.dispose()
  }

  private undecorate(): void {
    for (const decoration of this.decorations) decoration.marker.dispose()
    this.decorations = []
  }
}
