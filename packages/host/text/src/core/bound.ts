/** Texts that must fit a byte bound: the middle goes, both ends and what follows them stay. */
import { clipHead, clipTail, utf8Length } from './utf8.js'

/** What a cut left out. */
export interface Omitted {
  readonly bytes: number
  /** Line feeds within the omitted part. */
  readonly lines: number
}

/** A text within its bound. Both counts are 0 when nothing is missing. */
export interface Clipped {
  readonly text: string
  readonly omittedBytes: number
  readonly omittedLines: number
}

export interface ClipOptions {
  /** Stands where the middle was. Default: `renderOmitted`. */
  readonly marker?: (omitted: Omitted) => string
}

/** `[12 lines, 3456 bytes omitted]` on a line of its own. */
export function renderOmitted({ bytes, lines }: Omitted): string {
  const parts = lines > 0 ? [`${lines} ${lines === 1 ? 'line' : 'lines'}`, `${bytes} bytes`] : [`${bytes} bytes`]
  return `\n[${parts.join(', ')} omitted]\n`
}

/** Stands for `renderOmitted` where that would take more than half of the room: a cut text always says that it is cut. */
export const SHORT_MARKER = '…'

/**
 * The text within `maxBytes`: when it is longer, a head and a tail of equal room around a marker that counts what is missing.
 * Where that marker would take more than half of the room, `…` stands there; the counts still tell. Below 6 bytes only the head.
 */
export function clipMiddle(text: string, maxBytes: number, options: ClipOptions = {}): Clipped {
  const total = utf8Length(text)
  if (total <= maxBytes) return { text, omittedBytes: 0, omittedLines: 0 }
  const marker = options.marker ?? renderOmitted
  const atMost = utf8Length(marker({ bytes: total, lines: countLines(text) }))
  return (
    clipAround(text, maxBytes, marker, atMost) ??
    clipAround(text, maxBytes, () => SHORT_MARKER, utf8Length(SHORT_MARKER)) ??
    describe(text, clipHead(text, Math.max(0, maxBytes)), '')
  )
}

/** @returns nothing when the marker would take more than half of the room. */
function clipAround(
  text: string,
  maxBytes: number,
  marker: (omitted: Omitted) => string,
  markerBytes: number,
): Clipped | undefined {
  const room = maxBytes - markerBytes
  if (room < maxBytes / 2) return undefined
  const head = clipHead(text, Math.ceil(room / 2))
  const tail = clipTail(text.slice(head.length), Math.floor(room / 2))
  const clipped = describe(text, head, tail)
  const joined = head + marker({ bytes: clipped.omittedBytes, lines: clipped.omittedLines }) + tail
  return utf8Length(joined) <= maxBytes ? { ...clipped, text: joined } : undefined
}

/**
 * Body and suffix within `maxBytes`. The suffix is kept whole and the body gives way; a suffix that does not fit by
 * itself loses its end. The counts speak of the body.
 */
export function clipWithSuffix(body: string, suffix: string, maxBytes: number, options: ClipOptions = {}): Clipped {
  const kept = clipHead(suffix, maxBytes)
  const clipped = clipMiddle(body, maxBytes - utf8Length(kept), options)
  return { ...clipped, text: clipped.text + kept }
}

function describe(text: string, head: string, tail: string): Clipped {
  const omitted = text.slice(head.length, text.length - tail.length)
  return { text: head + tail, omittedBytes: utf8Length(omitted), omittedLines: countLines(omitted) }
}

function countLines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++
  return count
}
