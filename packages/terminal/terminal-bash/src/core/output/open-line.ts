/** The line that the log has not ended, seen from outside: as cells to be edited, and as text. */
import { EditableLine } from './editable-line.js'
import { fillLine } from './fill-line.js'
import { continuationsIn, type LineLog } from './line-log.js'
import { decodeUtf8 } from './utf8.js'

/** Bytes at the end of a long line that can still be edited. */
export const EDITABLE_BYTES = 8192
/** What is told of the current line: enough for any question, and cheap to ask for after every read. */
const TOLD_UNITS = 1024

/** Where the part begins that can be edited. */
export function editableStart(log: LineLog, columns: number): number {
  return log.editableFrom(EDITABLE_BYTES, columns)
}

/** What of the open line can be edited, as cells, with the cursor at its end. */
export function openCells(log: LineLog, columns: number, isHidden: boolean): EditableLine {
  const line = new EditableLine(columns)
  line.setHidden(isHidden)
  fillLine(line, log.slice(editableStart(log, columns), log.end))
  return line
}

/** The whole of it as text. */
export function openText(log: LineLog): string {
  return decodeUtf8(log.openLine())
}

/** Its end as text. @param edited - what follows it in cells. */
export function openTail(log: LineLog, edited: string): string {
  if (edited.length >= TOLD_UNITS) return edited.slice(-TOLD_UNITS)
  const from = Math.max(log.lineStart, log.end - (TOLD_UNITS - edited.length))
  const bytes = log.slice(from, log.end)
  return decodeUtf8(bytes.subarray(continuationsIn(bytes))) + edited
}
