/**
 * One logical line that is being edited: cells by column, as wide as the text. The terminal shows it folded into rows of `columns`
 * cells, and what a program does at its right margin only makes sense with those rows, so motions know them.
 */
import { widthOf } from './width.js'

/** Second half of a wide character. */
const WIDE_TAIL = 0
/** Last column of a row that a wide character did not fit into. */
const SKIPPED = 1
/** Columns a tab spans after its own. */
const TAB_SPAN = 2
const TAB = 9
const BLANK = 0x20
/** From here on a value is an index into `clusters`. */
const FIRST_CLUSTER = 0x110000
const VALUE = 0x1fffff
/** The cell is not part of the current send's output. */
const HIDDEN = 0x200000
/** UTF-16 units of one cell; further combining characters are dropped. */
const MAX_CLUSTER_UNITS = 64
const TAB_STOP = 8
const FIRST_CELLS = 256
/** Clusters of a line redrawn over and over, before those no longer shown are dropped. */
const MAX_CLUSTERS = 4096

export class EditableLine {
  private cells = new Uint32Array(FIRST_CELLS)
  /** Cells in use. */
  length = 0
  private clusters: string[] = []
  /** Next column to write. */
  column = 0
  /** The last column of a row has just been written; the next character opens a new row. */
  private isWrapPending = false
  /** Longest the line has been. */
  widest = 0
  /** Mark of new cells while output is suppressed. */
  private hidden = 0

  constructor(private columns: number) {}

  get isAtEnd(): boolean {
    return this.column === this.length
  }

  /** First column of the row the cursor is on. */
  get rowStart(): number {
    return Math.floor((this.isWrapPending ? this.column - 1 : this.column) / this.columns) * this.columns
  }

  get isOnLastRow(): boolean {
    return this.rowStart + this.columns >= this.length
  }

  /** Row of the cursor within the line. */
  get row(): number {
    return this.rowStart / this.columns
  }

  resize(columns: number): void {
    this.columns = columns
    this.isWrapPending = false
  }

  setHidden(on: boolean): void {
    this.hidden = on ? HIDDEN : 0
  }

  setAllHidden(on: boolean): void {
    for (let i = 0; i < this.length; i += 1) {
      const cell = this.cells[i] as number
      this.cells[i] = on ? cell | HIDDEN : cell & VALUE
    }
  }

  /** Overwrite from the cursor with printable ASCII. */
  putAscii(bytes: Uint8Array, from: number, to: number): void {
    this.padToCursor()
    const { column, hidden } = this
    const end = column + (to - from)
    this.splitSpan(column)
    this.splitSpan(end)
    this.extendTo(end)
    const cells = this.cells
    for (let i = from, at = column; i < to; i += 1, at += 1) cells[at] = (bytes[i] as number) | hidden
    this.advance(to - from)
  }

  put(codePoint: number): void {
    const width = widthOf(codePoint)
    if (width === 0) this.combine(codePoint)
    else this.putWhole(codePoint, width)
  }

  private putWhole(codePoint: number, width: 1 | 2): void {
    this.padToCursor()
    if (width === 2 && this.columns > 1 && this.column % this.columns === this.columns - 1) {
      this.splitSpan(this.column)
      this.extendTo(this.column + 1)
      this.cells[this.column] = SKIPPED | this.hidden
      this.advance(1)
    }
    this.splitSpan(this.column)
    this.splitSpan(this.column + width)
    this.extendTo(this.column + width)
    this.cells[this.column] = codePoint | this.hidden
    if (width === 2) this.cells[this.column + 1] = WIDE_TAIL | this.hidden
    this.advance(width)
  }

  tab(): void {
    const start = this.rowStart
    const target = Math.min(
      start + (Math.floor((this.column - start) / TAB_STOP) + 1) * TAB_STOP,
      start + this.columns - 1,
    )
    if (this.isWrapPending || target <= this.column) return
    if (this.column >= this.length) {
      this.padToCursor()
      this.extendTo(target)
      this.cells.fill(TAB_SPAN | this.hidden, this.column, target)
      this.cells[this.column] = TAB | this.hidden
    }
    this.column = target
  }

  carriageReturn(): void {
    this.moveTo(this.rowStart)
  }

  forward(count: number): void {
    if (!this.isWrapPending) this.moveTo(Math.min(this.column + count, this.rowStart + this.columns - 1))
  }

  back(count: number): void {
    const column = this.isWrapPending ? this.column - 1 : this.column
    this.moveTo(Math.max(column - count, this.rowStart))
  }

  /** @param offset - column within the row, from 0. */
  toRowColumn(offset: number): void {
    this.moveTo(this.rowStart + Math.min(offset, this.columns - 1))
  }

  /** Move by rows within the line. @returns rows that lie outside it. */
  moveRows(rows: number): number {
    const lastRow = Math.max(this.row, Math.ceil(this.length / this.columns) - 1)
    const target = Math.min(Math.max(this.row + rows, 0), lastRow)
    const moved = target - this.row
    if (moved !== 0) this.moveTo((this.isWrapPending ? this.column - 1 : this.column) + moved * this.columns)
    return rows - moved
  }

  toLastRow(): void {
    this.moveRows(Number.MAX_SAFE_INTEGER)
  }

  /** EL. `part` 0: from the cursor, 1: up to it, 2: the row. ECMA-48 8.3.41. */
  eraseInRow(part: number): void {
    const start = this.rowStart
    const end = start + this.columns
    if (part === 0) {
      if (!this.isWrapPending) this.blank(this.column, end)
    } else if (part === 1) this.blank(start, Math.min(this.column + 1, end))
    else if (part === 2) this.blank(start, end)
  }

  /** The part of ED 0 that falls on this line. */
  eraseToEnd(): void {
    this.blank(this.column, this.length)
  }

  eraseCharacters(count: number): void {
    this.blank(this.column, Math.min(this.column + count, this.rowStart + this.columns))
  }

  deleteCharacters(count: number): void {
    if (this.column >= this.length) return
    const end = this.rowStart + this.columns
    const removed = Math.min(count, end - this.column)
    this.splitSpan(this.column)
    this.splitSpan(this.column + removed)
    this.splitSpan(end)
    const rowEnd = Math.min(end, this.length)
    this.cells.copyWithin(this.column, this.column + removed, rowEnd)
    this.blank(Math.max(this.column, rowEnd - removed), rowEnd)
  }

  insertCharacters(count: number): void {
    if (this.column >= this.length) return
    const end = this.rowStart + this.columns
    const inserted = Math.min(count, end - this.column)
    const oldLength = this.length
    this.splitSpan(this.column)
    this.splitSpan(end - inserted)
    this.splitSpan(end)
    this.extendTo(Math.min(end, oldLength + inserted))
    const rowEnd = Math.min(end, this.length)
    this.cells.copyWithin(this.column + inserted, this.column, rowEnd - inserted)
    this.cells.fill(BLANK | this.hidden, this.column, Math.min(this.column + inserted, rowEnd))
  }

  text(): string {
    return this.render(false)
  }

  /** Text without hidden cells. */
  visibleText(): string {
    return this.render(true)
  }

  private render(visibleOnly: boolean): string {
    let text = ''
    for (let i = 0; i < this.length; i += 1) {
      const cell = this.cells[i] as number
      if (visibleOnly && (cell & HIDDEN) !== 0) continue
      const value = cell & VALUE
      if (value >= FIRST_CLUSTER) text += this.clusters[value - FIRST_CLUSTER] ?? ''
      else if (value > TAB_SPAN) text += String.fromCodePoint(value)
    }
    return text
  }

  private combine(codePoint: number): void {
    let at = Math.min(this.column, this.length) - 1
    while (at > 0 && ((this.cells[at] as number) & VALUE) <= TAB_SPAN) at -= 1
    const mark = String.fromCodePoint(codePoint)
    if (at < 0 || this.column > this.length) {
      this.padToCursor()
      this.extendTo(this.column + 1)
      this.cells[this.column] = this.cluster(mark) | this.hidden
      this.advance(1)
      return
    }
    const cell = this.cells[at] as number
    const value = cell & VALUE
    const before = value >= FIRST_CLUSTER ? (this.clusters[value - FIRST_CLUSTER] ?? '') : String.fromCodePoint(value)
    if (before.length + mark.length > MAX_CLUSTER_UNITS) return
    if (value >= FIRST_CLUSTER) this.clusters[value - FIRST_CLUSTER] = before + mark
    else this.cells[at] = this.cluster(before + mark) | (cell & HIDDEN)
  }

  private cluster(text: string): number {
    if (this.clusters.length >= Math.max(MAX_CLUSTERS, 2 * this.length)) this.dropUnusedClusters()
    this.clusters.push(text)
    return FIRST_CLUSTER + this.clusters.length - 1
  }

  private dropUnusedClusters(): void {
    const used: string[] = []
    for (let i = 0; i < this.length; i += 1) {
      const cell = this.cells[i] as number
      const value = cell & VALUE
      if (value < FIRST_CLUSTER) continue
      used.push(this.clusters[value - FIRST_CLUSTER] ?? '')
      this.cells[i] = (FIRST_CLUSTER + used.length - 1) | (cell & HIDDEN)
    }
    this.clusters = used
  }

  private moveTo(column: number): void {
    this.column = column
    this.isWrapPending = false
  }

  private advance(count: number): void {
    this.column += count
    this.isWrapPending = this.column % this.columns === 0
  }

  private padToCursor(): void {
    const from = this.length
    if (from >= this.column) return
    this.extendTo(this.column)
    this.cells.fill(BLANK | this.hidden, from, this.column)
  }

  /** Make room up to a column. What lies between is the caller's to fill. */
  private extendTo(length: number): void {
    if (length <= this.length) return
    if (length > this.cells.length) {
      const grown = new Uint32Array(Math.max(length, this.cells.length * 2))
      grown.set(this.cells.subarray(0, this.length))
      this.cells = grown
    }
    this.length = length
    if (length > this.widest) this.widest = length
  }

  /** Blank `[from, to)`; at the line's end blanks are not kept. */
  private blank(from: number, to: number): void {
    this.splitSpan(from)
    if (to >= this.length) {
      this.length = Math.min(this.length, from)
      return
    }
    this.splitSpan(to)
    this.cells.fill(BLANK | this.hidden, from, to)
  }

  /** A wide character or a tab that spans the border before `column` becomes blanks: half of it is about to go. */
  private splitSpan(column: number): void {
    if (column >= this.length) return
    const value = (this.cells[column] as number) & VALUE
    if (value !== WIDE_TAIL && value !== TAB_SPAN) return
    let start = column
    while (start > 0 && ((this.cells[start] as number) & VALUE) === value) start -= 1
    let end = column
    while (end < this.length && ((this.cells[end] as number) & VALUE) === value) end += 1
    for (let i = start; i < end; i += 1) this.cells[i] = BLANK | ((this.cells[i] as number) & HIDDEN)
  }
}
