/**
 * The text model: logical lines with a cursor in the current one. A line that only grows lives as bytes in the log; the first edit
 * turns it into cells until it ends. Lines above are taken back when a program moves up to redraw them.
 */
import type { EditableLine } from './editable-line.js'
import { LineLog, type LineLogLimits } from './line-log.js'
import { EDITABLE_BYTES, editableStart, openCells, openTail, openText } from './open-line.js'
import type { PlainScan } from './plain-scan.js'
import type { FeedSummary, ViewportOptions, ViewportText } from './types.js'
import { codePointAt, completeSequence, encodeUtf8, writeCodePoint } from './utf8.js'
import { Viewport } from './viewport.js'

/** Cells of a line that grows while it is edited, before it goes back to the log as bytes. */
const MAX_EDITED_CELLS = 32_768
const TAB = 0x09
const BLANK = 0x20

export interface TextModelOptions extends LineLogLimits {
  readonly columns: number
  readonly rows: number
  readonly viewportMaxBytes: number
}

export class TextModel {
  readonly log: LineLog
  /** The open line while it is edited; otherwise it is the log's, with the cursor at its end. */
  private line: EditableLine | undefined
  /** A carriage return that nothing has followed yet: the first half of a line end, mostly. */
  private isReturnPending = false
  /** Lines below the cursor, after a motion up. */
  private below: EditableLine[] = []
  private viewport: Viewport | undefined
  private isSuppressed = false
  private columns: number
  rows: number
  private saved: { line: number; column: number } | undefined
  private printed = false
  private grew = false
  /** Longest the current line has been, for telling growth from redrawing. */
  private notedWidth = 0

  constructor(private readonly options: TextModelOptions) {
    this.log = new LineLog(options)
    this.columns = Math.max(2, options.columns)
    this.rows = options.rows
  }

  /** Take printable text, and line ends as far as they come for free. @returns the position reached. */
  print(scan: PlainScan, from: number, to: number): number {
    if (this.isPlain) return this.printPlain(scan, from, to)
    // A control comes next: it may end the line, and a line is turned into cells only for an edit.
    if ((scan.bytes[from] as number) < BLANK) return from
    const at = this.printCells(scan, from, to)
    return at < to && this.isPlain ? this.printPlain(scan, at, to) : at
  }

  printCodePoint(codePoint: number): void {
    if (this.isPlain) {
      const bytes = new Uint8Array(4)
      this.log.append(bytes.subarray(0, writeCodePoint(bytes, 0, codePoint)))
      this.printed = true
      this.grew = true
      return
    }
    this.edit().put(codePoint)
    this.notePrinted()
    this.releaseLongLine()
  }

  /** Whether the open line only grows, as bytes of the log. */
  private get isPlain(): boolean {
    return this.line === undefined && !this.isReturnPending && !this.needsCells
  }

  private printPlain(scan: PlainScan, from: number, to: number): number {
    let at = from
    for (;;) {
      const next = this.log.appendPlain(scan, at, to)
      if (next > at) {
        this.printed = true
        this.grew = true
      }
      this.viewport?.copyCommitted()
      if (next === to || next === at) return next
      at = next
    }
  }

  private printCells(scan: PlainScan, from: number, to: number): number {
    const { bytes } = scan
    const line = this.edit()
    let at = from
    while (at < to) {
      const start = at
      const stop = Math.min(to, at + Math.max(1, MAX_EDITED_CELLS - line.column))
      at = scan.endOfAscii(at, stop)
      if (at > start) line.putAscii(bytes, start, at)
      else {
        const length = completeSequence(bytes, at, to)
        const codePoint = length > 1 ? codePointAt(bytes, at, length) : 0
        if (codePoint < 0xa0) break
        line.put(codePoint)
        at += length
      }
      this.notePrinted()
      if (this.releaseLongLine()) break
    }
    return at
  }

  carriageReturn(): void {
    if (this.line !== undefined) this.line.carriageReturn()
    else if (this.log.openBytes > 0) this.isReturnPending = true
  }

  /** LF, VT, FF and NEL: the line is done, or the cursor moves down over rows it had moved up. */
  lineFeed(): void {
    this.printed = true
    if (this.line !== undefined && this.below.length + (this.line.isOnLastRow ? 0 : 1) > 0) {
      const wasMoved = this.line.moveRows(1) === 0
      if (!wasMoved) this.nextLine(0)
      return
    }
    this.grew = true
    this.commit()
  }

  /** IND: down in the same column. */
  index(): void {
    const column = this.edit().column - this.edit().rowStart
    this.lineFeed()
    if (column > 0) this.edit().toRowColumn(column)
  }

  /** A new line unless the current one is empty. */
  freshLine(): void {
    this.toBottom()
    if (this.line !== undefined ? this.line.length > 0 : this.log.openBytes > 0) this.commit()
  }

  tab(): void {
    if (this.isPlain) {
      this.printCodePoint(TAB)
      return
    }
    this.edit().tab()
    this.notePrinted()
    this.releaseLongLine()
  }

  /** The current line as cells, for an edit. */
  edit(): EditableLine {
    if (this.line !== undefined) return this.line
    const line = this.lineFromLog(this.viewport?.hasOpenLine === true)
    line.setHidden(this.isSuppressed)
    if (this.isReturnPending) line.carriageReturn()
    this.isReturnPending = false
    this.line = line
    return line
  }

  /** EL */
  eraseInRow(part: number): void {
    if (part === 0 && this.isPlain) return
    this.edit().eraseInRow(part)
    this.printed = true
  }

  moveUp(rows: number): void {
    let left = -this.edit().moveRows(-rows)
    while (left > 0 && this.below.length < this.rows - 1) {
      const current = this.edit()
      const column = current.column - current.rowStart
      if (!this.previousLine()) return
      const line = this.edit()
      line.toLastRow()
      line.toRowColumn(column)
      left -= 1
      left = -line.moveRows(-left)
    }
  }

  moveDown(rows: number): void {
    const column = this.edit().column - this.edit().rowStart
    let left = this.edit().moveRows(rows)
    while (left > 0 && this.below.length > 0) {
      this.nextLine(column)
      left -= 1
      left = this.edit().moveRows(left)
    }
    if (left > 0) {
      this.commit()
      this.edit().toRowColumn(column)
    }
  }

  /** ED. From the cursor on it empties lines; the whole screen is left as it was and output goes on in a new line. */
  eraseDisplay(part: number): void {
    if (part === 2) this.freshLine()
    if (part !== 0) return
    this.printed = true
    if (this.isPlain) return
    this.edit().eraseToEnd()
    this.below = []
  }

  saveCursor(): void {
    this.saved = { line: this.log.count, column: this.edit().column }
  }

  restoreCursor(): void {
    const saved = this.saved
    if (saved === undefined) return
    if (saved.line < this.log.count) this.moveUp(this.log.count - saved.line)
    else if (saved.line > this.log.count) this.moveDown(saved.line - this.log.count)
    const line = this.edit()
    line.carriageReturn()
    line.toRowColumn(saved.column)
  }

  resize(columns: number, rows: number): void {
    this.columns = Math.max(2, columns)
    this.rows = rows
    for (const line of [this.line, ...this.below]) line?.resize(this.columns)
  }

  startViewport(options: ViewportOptions): Viewport {
    this.isSuppressed = false
    if (this.line !== undefined || this.log.openBytes > 0) this.edit().setAllHidden(true)
    for (const line of this.below) line.setAllHidden(true)
    this.line?.setHidden(false)
    this.viewport = new Viewport(this.options.viewportMaxBytes, options, this.currentLine(), this.log)
    return this.viewport
  }

  suppress(viewport: Viewport, on: boolean): void {
    if (viewport !== this.viewport || on === this.isSuppressed) return
    if (this.log.openBytes > 0) this.edit()
    this.isSuppressed = on
    this.line?.setHidden(on)
  }

  renderViewport(viewport: Viewport): ViewportText {
    if (viewport !== this.viewport) return viewport.render('')
    const text = viewport.render(this.liveVisible(viewport))
    const cutBytes = viewport.hasOpenLine ? 0 : this.log.openOmitted
    return cutBytes === 0 ? text : { ...text, omittedBytes: text.omittedBytes + cutBytes }
  }

  stopViewport(viewport: Viewport): void {
    if (viewport !== this.viewport) return
    this.viewport = undefined
    this.isSuppressed = false
    this.line?.setHidden(false)
  }

  /** The last line of a viewport that still collects, without rendering the rest. */
  lastLine(viewport: Viewport): string {
    return viewport.lastLine(viewport === this.viewport ? this.liveVisible(viewport) : '')
  }

  /** What a viewport shows of lines that are not committed. */
  private liveVisible(viewport: Viewport): string {
    const stored = viewport.hasOpenLine ? viewport.openRest() : openText(this.log)
    const open = this.line === undefined ? stored : this.visiblePrefix() + this.line.visibleText()
    return open + this.below.map((line) => `\n${line.visibleText()}`).join('')
  }

  /** End of the line the cursor is on. */
  currentLine(): string {
    return openTail(this.log, this.line?.text() ?? '')
  }

  private wholeCurrentLine(): string {
    const prefix = this.line === undefined || this.log.openBytes > 0 ? openText(this.log) : ''
    return prefix + (this.line?.text() ?? '')
  }

  /** Lines that are not committed: the current one, unless it is empty and the last, and those below. */
  get liveLineCount(): number {
    const isEmpty = this.below.length === 0 && this.log.openBytes === 0 && (this.line?.length ?? 0) === 0
    return isEmpty ? 0 : 1 + this.below.length
  }

  /** @param at - 0 for the current line. */
  liveLine(at: number): string {
    return at === 0 ? this.wholeCurrentLine() : (this.below[at - 1]?.text() ?? '')
  }

  cursorColumn(): number {
    const line = this.line ?? openCells(this.log, this.columns, false)
    if (this.isReturnPending) line.carriageReturn()
    return Math.min(line.column - line.rowStart, this.columns - 1)
  }

  takeSummary(): FeedSummary {
    const summary = { printed: this.printed, redrawOnly: this.printed && !this.grew }
    this.printed = false
    this.grew = false
    return summary
  }

  private get needsCells(): boolean {
    return this.isSuppressed || this.below.length > 0 || this.viewport?.takesLines === true
  }

  private notePrinted(): void {
    this.printed = true
    const widest = this.line?.widest ?? 0
    if (widest > this.notedWidth) this.grew = true
    this.notedWidth = Math.max(this.notedWidth, widest)
  }

  private lineFromLog(isHidden: boolean): EditableLine {
    const line = openCells(this.log, this.columns, isHidden)
    this.log.truncate(editableStart(this.log, this.columns))
    this.notedWidth = line.widest
    return line
  }

  /** End the current line. */
  private commit(): void {
    const line = this.needsCells ? this.edit() : this.line
    this.isReturnPending = false
    this.notedWidth = 0
    if (line === undefined) {
      const wasStored = this.viewport?.hasOpenLine === true
      const omitted = this.log.commit()
      if (omitted > 0) this.viewport?.takeCutLine(omitted, wasStored)
      this.viewport?.copyCommitted()
      return
    }
    this.viewport?.copyCommitted()
    const prefix = this.visiblePrefix()
    const text = line.text()
    this.log.append(encodeUtf8(text))
    this.log.commit()
    const visible = prefix + line.visibleText()
    this.viewport?.takeLine(visible, !this.isSuppressed, visible === text && !this.isSuppressed)
    this.line = undefined
  }

  /** The start of an edited line that stayed in the log because it is too long to edit, as far as it belongs to the send. */
  private visiblePrefix(): string {
    return this.log.openBytes > 0 && this.viewport?.hasOpenLine === false ? openText(this.log) : ''
  }

  /** A line that has grown too long for cells goes on as bytes. */
  private releaseLongLine(): boolean {
    const line = this.line
    if (line === undefined || line.length < MAX_EDITED_CELLS || !line.isAtEnd) return false
    if (this.below.length > 0) {
      this.freshLine()
      return true
    }
    const visible = this.visiblePrefix() + line.visibleText()
    this.log.append(encodeUtf8(line.text()))
    this.line = undefined
    this.viewport?.takeLineStart(visible)
    return true
  }

  private toBottom(): void {
    while (this.below.length > 0) this.nextLine(0)
    this.line?.toLastRow()
  }

  private nextLine(column: number): void {
    const next = this.below.shift()
    this.commit()
    if (next === undefined) return
    this.line = next
    next.setHidden(this.isSuppressed)
    next.column = 0
    next.toRowColumn(column)
    this.notedWidth = next.widest
  }

  private previousLine(): boolean {
    const current = this.edit()
    if (this.log.openBytes > 0 || !this.log.reopen(EDITABLE_BYTES)) return false
    this.below.unshift(current)
    this.line = undefined
    const isVisible = this.viewport?.takeBackLine(this.log.count, this.log.openBytes) ?? true
    this.line = this.lineFromLog(!isVisible)
    this.line.setHidden(this.isSuppressed)
    return true
  }
}
