/** The drawn text as lines, and places in it as cells. Wrapped rows are one line, however long. */
import type { Match, TextLine } from '../core/matches.js'

interface DrawnRow {
  readonly isWrapped: boolean
  translateToString(trimRight: boolean): string
  getCell(column: number): { getWidth(): number; getChars(): string } | undefined
}

/** The part of a terminal of xterm.js that is read. */
export interface DrawnBuffer {
  readonly cols: number
  readonly buffer: { readonly active: { readonly length: number; getLine(row: number): DrawnRow | undefined } }
}

export interface DrawnLine extends TextLine {
  /** Where each of its rows begins in its text. */
  readonly offsets: readonly number[]
}

/** A part of one row, in cells. */
export interface CellRange {
  readonly row: number
  readonly column: number
  readonly width: number
}

/** Newest first. Each line is read once. */
export function* readLines({ buffer: { active } }: DrawnBuffer): Generator<DrawnLine> {
  for (let last = active.length - 1; last >= 0; ) {
    let first = last
    while (first > 0 && active.getLine(first)?.isWrapped === true) first--
    const offsets: number[] = []
    const parts: string[] = []
    let length = 0
    for (let row = first; row <= last; row++) {
      const part = active.getLine(row)?.translateToString(row === last) ?? ''
      offsets.push(length)
      parts.push(part)
      length += part.length
    }
    yield { row: first, text: parts.join(''), offsets }
    last = first - 1
  }
}

/** The cells of a match, row by row. */
export function locate({ buffer: { active }, cols }: DrawnBuffer, line: DrawnLine, { start, end }: Match): CellRange[] {
  const ranges: CellRange[] = []
  for (let index = findRow(line.offsets, start); index < line.offsets.length; index++) {
    const offset = line.offsets[index] ?? 0
    if (offset >= end) break
    const cells = active.getLine(line.row + index)
    if (!cells) break
    const column = columnOf(cells, Math.max(0, start - offset), cols)
    const width = columnOf(cells, end - offset, cols) - column
    if (width > 0) ranges.push({ row: line.row + index, column, width })
  }
  return ranges
}

/** The last row that begins at or before a place in the text. */
function findRow(offsets: readonly number[], at: number): number {
  let low = 0
  let high = offsets.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((offsets[middle] ?? 0) <= at) low = middle
    else high = middle - 1
  }
  return low
}

/** Cells hold no, one or several units of text, and characters take one or two cells. */
function columnOf(line: DrawnRow, units: number, cols: number): number {
  let seen = 0
  for (let column = 0; column < cols; column++) {
    const cell = line.getCell(column)
    if (!cell || cell.getWidth() === 0) continue
    if (seen >= units) return column
    seen += Math.max(1, cell.getChars().length)
  }
  return cols
}
