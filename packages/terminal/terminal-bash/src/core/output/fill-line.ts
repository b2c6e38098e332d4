/** Stored text as cells again. */
import type { EditableLine } from './editable-line.js'
import { codePointAt, completeSequence } from './utf8.js'

const TAB = 0x09

/** @param bytes - well-formed text and tabs of one line. */
export function fillLine(line: EditableLine, bytes: Uint8Array): void {
  let at = 0
  while (at < bytes.length) {
    const start = at
    while (at < bytes.length && (bytes[at] as number) >= 0x20 && (bytes[at] as number) < 0x7f) at += 1
    if (at > start) line.putAscii(bytes, start, at)
    if (at >= bytes.length) return
    if (bytes[at] === TAB) {
      line.tab()
      at += 1
      continue
    }
    const length = Math.max(1, completeSequence(bytes, at, bytes.length))
    line.put(codePointAt(bytes, at, length))
    at += length
  }
}
