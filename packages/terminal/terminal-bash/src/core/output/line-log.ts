/**
 * Retained lines as one ring of UTF-8 bytes. The last line is open and grows in place. Appending writes each new byte once and
 * touches no retained one; reading costs what is read.
 */
import type { PlainScan } from './plain-scan.js'
import { completeSequence, encodeUtf8, isContinuation } from './utf8.js'

export interface LineLogLimits {
  readonly maxLines: number
  /** UTF-8 bytes of all retained lines, line ends included. The open line is bounded by `maxLineBytes` on its own. */
  readonly maxBytes: number
  /** UTF-8 bytes of one line. A longer one keeps its head and its tail around a count of what was left out. */
  readonly maxLineBytes: number
}

/** New bytes between two looks at the bounds. */
const PIECE_BYTES = 16_384
const FIRST_CAPACITY = 65_536
const SHORT_RUN = 48
/** Room for the count inside a cut line. */
export const CUT_NOTE_BYTES = 48
const LF = 0x0a
const CR = 0x0d
/** A stored line end. Lines are stored as a cooked terminal receives them, so that whole chunks can be copied. */
export const LINE_END = Uint8Array.of(CR, LF)

export class LineLog {
  /** Absolute position after the last byte. Position `p` lies at `p % ring.length`; until the ring is full that is `p`. */
  end = 0
  /** Absolute position of the open line. */
  lineStart = 0
  /** Committed lines since the beginning; also the number of the open line. */
  count = 0
  /** Number of the oldest retained line. */
  first = 0
  /** Bytes cut out of the open line so far; they lie after its first `headBytes`. */
  private openCut = 0
  private hasCutLine = false
  private ring: Uint8Array
  /** Where `end` lies in the ring. Kept, because dividing positions costs more than copying short runs. */
  private head = 0
  private readonly capacity: number
  private readonly starts: Float64Array
  private readonly headBytes: number
  private readonly tailBytes: number

  constructor(private readonly limits: LineLogLimits) {
    const content = Math.max(16, limits.maxLineBytes - CUT_NOTE_BYTES)
    this.headBytes = content >> 1
    this.tailBytes = content - this.headBytes
    this.capacity = limits.maxBytes + limits.maxLines + 2 * limits.maxLineBytes + 3 * PIECE_BYTES
    this.ring = new Uint8Array(Math.min(FIRST_CAPACITY, this.capacity))
    this.starts = new Float64Array(limits.maxLines + 1)
  }

  /** Whether retained text lacks something that was printed. */
  get hasLost(): boolean {
    return this.first > 0 || this.hasCutLine
  }

  /** UTF-8 bytes of the committed lines: one per line end. */
  private get retainedBytes(): number {
    return this.lineStart - this.startOf(this.first) - (this.count - this.first) * (LINE_END.length - 1)
  }

  get openBytes(): number {
    return this.end - this.lineStart
  }

  /**
   * Where the part of the open line begins that can be edited: all of it, or about `bytes` at its end after whole rows, as far as a
   * line of single-width characters tells. An over-long line is cut for good, so that the answer depends on the line alone.
   */
  editableFrom(bytes: number, columns: number): number {
    const total = this.openCut + this.openBytes
    const most = Math.min(bytes, this.tailBytes)
    if (this.isOverlong) this.cutOpenLine()
    else if (total <= 2 * most) return this.lineStart
    const wholeRows = Math.ceil((total - most) / columns) * columns
    const from = Math.min(Math.max(this.end - total + wholeRows, this.end - most), this.end)
    return from + continuationsIn(this.slice(from, Math.min(from + 3, this.end)))
  }

  private get isOverlong(): boolean {
    return this.openCut > 0 || this.openBytes > this.limits.maxLineBytes
  }

  /**
   * Take printable text, tabs and CR LF as they come, up to the first byte that needs a closer look. At most one piece at a time.
   * @returns the position reached.
   */
  appendPlain(scan: PlainScan, from: number, to: number): number {
    this.ensureRoom(Math.min(to - from, PIECE_BYTES))
    const { bytes } = scan
    const at = this.head
    const stop = Math.min(to, from + Math.min(PIECE_BYTES, this.ring.length - at))
    /** Add to a position in the chunk for its absolute one. */
    const shift = this.end - from
    const longest = this.limits.maxLineBytes
    const firstLine = this.count
    let i = from
    for (;;) {
      i = scan.endOfText(i, stop)
      if (i + 1 >= stop || bytes[i] !== CR || bytes[i + 1] !== LF) break
      if (this.openCut > 0 || i + shift - this.lineStart > longest) break
      i += 2
      this.noteLineEnd(i + shift)
    }
    this.copyIn(bytes, from, i, at)
    this.advance(i - from)
    this.cutWhenLong()
    if (this.count > firstLine) this.evict()
    return i
  }

  /** Append bytes of the open line: no line end among them. */
  append(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
      this.write(bytes.subarray(from, from + PIECE_BYTES))
      this.cutWhenLong()
    }
  }

  /** End the open line. @returns bytes left out of it. */
  commit(): number {
    const cut = this.isOverlong
    const omitted = cut ? this.sealCut() : 0
    this.write(LINE_END)
    this.noteLineEnd(this.end)
    this.openCut = 0
    if (cut) this.hasCutLine = true
    this.evict()
    return omitted
  }

  /** Forget the end of the open line. */
  truncate(position: number): void {
    this.end = position
    this.head = position % this.ring.length
  }

  /** Take the newest committed line back as the open one; the open line must be empty. @returns whether there was one to take. */
  reopen(longest: number): boolean {
    if (this.count === this.first || this.openBytes > 0) return false
    const start = this.startOf(this.count - 1)
    if (this.end - start > longest) return false
    this.count -= 1
    this.lineStart = start
    this.truncate(this.end - LINE_END.length)
    return true
  }

  startOf(line: number): number {
    return line === this.count ? this.lineStart : (this.starts[line % this.starts.length] as number)
  }

  /** Position after the text of a committed line. */
  endOf(line: number): number {
    return this.startOf(line + 1) - LINE_END.length
  }

  /** Copy of the bytes from one absolute position to another, both retained. */
  slice(from: number, to: number): Uint8Array {
    const bytes = new Uint8Array(Math.max(0, to - from))
    this.visit(from, to, (part, at) => bytes.set(part, at))
    return bytes
  }

  /** Look at retained bytes in place, in one or two parts. */
  visit(from: number, to: number, take: (part: Uint8Array, at: number) => void): void {
    if (to <= from) return
    const start = from % this.ring.length
    const length = to - from
    const firstPart = Math.min(length, this.ring.length - start)
    take(this.ring.subarray(start, start + firstPart), 0)
    if (firstPart < length) take(this.ring.subarray(0, length - firstPart), firstPart)
  }

  /** The open line as it would be committed now. */
  openLine(): Uint8Array {
    if (!this.isOverlong) return this.slice(this.lineStart, this.end)
    const { head, note, tail } = this.cutParts()
    const line = new Uint8Array(head.length + note.length + tail.length)
    line.set(head)
    line.set(note, head.length)
    line.set(tail, head.length + note.length)
    return line
  }

  /** Bytes that are missing from {@link openLine}. */
  get openOmitted(): number {
    return this.isOverlong ? this.cutParts().omitted : 0
  }

  private advance(count: number): void {
    this.end += count
    this.head += count
    if (this.head >= this.ring.length) this.head -= this.ring.length
  }

  private noteLineEnd(end: number): void {
    this.starts[this.count % this.starts.length] = this.lineStart
    this.count += 1
    this.lineStart = end
  }

  private write(bytes: Uint8Array): void {
    this.ensureRoom(bytes.length)
    const at = this.head
    const firstPart = Math.min(bytes.length, this.ring.length - at)
    this.ring.set(firstPart === bytes.length ? bytes : bytes.subarray(0, firstPart), at)
    if (firstPart < bytes.length) this.ring.set(bytes.subarray(firstPart), 0)
    this.advance(bytes.length)
  }

  /** Short runs, as between colours, are cheaper to copy here than through a view. */
  private copyIn(bytes: Uint8Array, from: number, to: number, at: number): void {
    if (to - from > SHORT_RUN) this.ring.set(bytes.subarray(from, to), at)
    else for (let i = from, out = at; i < to; i += 1, out += 1) this.ring[out] = bytes[i] as number
  }

  /** Costs one tail per at least one tail of new bytes. */
  private cutWhenLong(): void {
    if (this.openBytes > this.headBytes + 2 * this.tailBytes + PIECE_BYTES) this.cutOpenLine()
  }

  /** Keep head and tail of an over-long open line. */
  private cutOpenLine(): void {
    const removed = this.openBytes - this.headBytes - this.tailBytes
    if (removed <= 0) return
    const { ring, tailBytes } = this
    const target = this.lineStart + this.headBytes
    const [from, to] = [(this.end - tailBytes) % ring.length, target % ring.length]
    this.openCut += removed
    if (Math.max(from, to) + tailBytes <= ring.length) {
      ring.copyWithin(to, from, from + tailBytes)
      this.truncate(target + tailBytes)
    } else {
      const tail = this.slice(this.end - tailBytes, this.end)
      this.truncate(target)
      this.write(tail)
    }
  }

  private sealCut(): number {
    const { head, note, tail, omitted } = this.cutParts()
    this.truncate(this.lineStart + head.length)
    this.write(note)
    this.write(tail)
    return omitted
  }

  /** Head and tail depend on the line alone, not on when it was cut. */
  private cutParts(): { head: Uint8Array; note: Uint8Array; tail: Uint8Array; omitted: number } {
    const total = this.openCut + this.openBytes
    let head = this.slice(this.lineStart, this.lineStart + this.headBytes)
    head = head.subarray(0, wholeLength(head))
    const kept = Math.min(this.tailBytes, this.openBytes - this.headBytes)
    let tail = this.slice(this.end - kept, this.end)
    tail = tail.subarray(continuationsIn(tail))
    const omitted = total - head.length - tail.length
    return { head, note: encodeUtf8(cutNote(omitted)), tail, omitted }
  }

  /** Only committed lines count, so that what is lost depends on the lines alone and not on when somebody looked. */
  private evict(): void {
    const { maxBytes, maxLines } = this.limits
    if (this.count - this.first > maxLines) this.first = this.count - maxLines
    while (this.retainedBytes > maxBytes) this.first += 1
  }

  private ensureRoom(extra: number): void {
    const size = this.ring.length
    if (size === this.capacity || this.end + extra < size) return
    // The ring has not wrapped yet, so positions stay what they are.
    const grown = new Uint8Array(Math.min(this.capacity, Math.max(size * 2, this.end + extra)))
    grown.set(this.ring.subarray(0, Math.min(this.end, size)))
    this.ring = grown
    this.head = this.end
  }
}

export function cutNote(omittedBytes: number): string {
  return ` … ${grouped(omittedBytes)} bytes left out … `
}

export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** Bytes at the start that belong to a sequence begun before. */
export function continuationsIn(bytes: Uint8Array): number {
  let count = 0
  while (count < bytes.length && isContinuation(bytes[count] as number)) count += 1
  return count
}

/** Length of the bytes without a sequence cut off at their end. */
export function wholeLength(bytes: Uint8Array): number {
  let at = bytes.length
  while (at > 0 && at > bytes.length - 3 && isContinuation(bytes[at - 1] as number)) at -= 1
  if (at === 0) return bytes.length
  return completeSequence(bytes, at - 1, bytes.length) === bytes.length - at + 1 ? bytes.length : at - 1
}
