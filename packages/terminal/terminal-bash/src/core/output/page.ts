/** Pages of retained lines, backward from the newest. Costs what the page holds. */
import { cutNote, wholeLength } from './line-log.js'
import type { TextModel } from './text-model.js'
import type { Page } from './types.js'
import { decodeUtf8, encodeUtf8, isContinuation } from './utf8.js'

export interface PageLimits {
  /** Lines of a page that names no number. */
  readonly defaultLines: number
  /** Retained lines, those not committed yet included. */
  readonly maxLines: number
  /** UTF-8 bytes of a page's text. */
  readonly maxBytes: number
}

/**
 * A page ends `offset` lines before the newest line and holds up to `lines` lines, fewer when they would not fit into the bytes. A
 * newest line that alone does not fit is cut in its middle with a count.
 */
export function readPage(
  model: TextModel,
  request: { readonly lines?: number; readonly offset?: number },
  limits: PageLimits,
): Page {
  const { log } = model
  const liveLines = model.liveLineCount
  const first = Math.max(log.first, log.count + liveLines - limits.maxLines)
  const committed = log.count - first
  const totalLines = committed + liveLines
  const end = totalLines - Math.max(0, Math.trunc(request.offset ?? 0))
  const wanted = Math.max(1, Math.trunc(request.lines ?? limits.defaultLines))
  const truncated = log.hasLost || first > log.first
  const nextLine = Math.min(first + Math.max(end, 0), log.count) + 1
  if (end <= 0) return { text: '', totalLines, lineBegin: 0, lineEnd: 0, truncated, firstLine: nextLine, nextLine }

  const live: string[] = []
  let bytes = 0
  let begin = end
  const stop = Math.max(0, end - wanted)
  while (begin > Math.max(stop, committed)) {
    const line = model.liveLine(begin - 1 - committed)
    const size = encodeUtf8(line).length + (begin < end ? 1 : 0)
    if (bytes + size > limits.maxBytes && begin < end) break
    bytes += size
    live.unshift(line)
    begin -= 1
  }
  const isLiveDone = begin <= committed
  const logEnd = Math.min(end, committed)
  while (isLiveDone && begin > stop) {
    const size = log.endOf(first + begin - 1) - log.startOf(first + begin - 1) + (begin < end ? 1 : 0)
    if (bytes + size > limits.maxBytes && begin < end) break
    bytes += size
    begin -= 1
  }
  const parts = [...live]
  if (begin < logEnd) {
    parts.unshift(
      decodeUtf8(log.slice(log.startOf(first + begin), log.endOf(first + logEnd - 1))).replaceAll('\r\n', '\n'),
    )
  }
  const text = parts.join('\n')
  return {
    text: bytes > limits.maxBytes ? cutMiddle(text, limits.maxBytes) : text,
    totalLines,
    lineBegin: begin + 1,
    lineEnd: end,
    truncated,
    firstLine: first + begin + 1,
    nextLine,
  }
}

export function cutMiddle(line: string, maxBytes: number): string {
  const bytes = encodeUtf8(line)
  const room = maxBytes - encodeUtf8(cutNote(bytes.length)).length
  if (room <= 0) return decodeUtf8(bytes.subarray(0, wholeLength(bytes.subarray(0, maxBytes))))
  const firstPart = bytes.subarray(0, room >> 1)
  const head = firstPart.subarray(0, wholeLength(firstPart))
  let from = bytes.length - (room - (room >> 1))
  while (from < bytes.length && isContinuation(bytes[from] as number)) from += 1
  const tail = bytes.subarray(from)
  return decodeUtf8(head) + cutNote(bytes.length - head.length - tail.length) + decodeUtf8(tail)
}
