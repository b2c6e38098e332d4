/** Text bounded by a head and a tail: what lies between is counted, not kept. */
import { joinBytes } from '../bytes.js'
import { CUT_NOTE_BYTES, continuationsIn, grouped, wholeLength } from './line-log.js'
import type { ViewportText } from './types.js'
import { decodeUtf8, encodeUtf8 } from './utf8.js'

const LF = 0x0a
const CR = 0x0d
/** Room for the note between head and tail. */
const NOTE_BYTES = CUT_NOTE_BYTES + 32
const FIRST_CAPACITY = 4096

export class HeadTail {
  private readonly headMax: number
  private readonly tailMax: number
  private head: Uint8Array
  private headLength = 0
  /** Newest bytes; its end moves around once it is as long as it may be. */
  private tail: Uint8Array
  private tailEnd = 0
  private tailLength = 0
  private total = 0
  private lines = 0

  /** @param maxBytes - most UTF-8 bytes of the rendered text. */
  constructor(private readonly maxBytes: number) {
    this.headMax = maxBytes >> 1
    this.tailMax = maxBytes - this.headMax
    this.head = new Uint8Array(Math.min(FIRST_CAPACITY, this.headMax))
    this.tail = new Uint8Array(Math.min(FIRST_CAPACITY, this.tailMax))
  }

  /** Add bytes; their line ends, stored as CR LF, are told by {@link addLines}. */
  append(bytes: Uint8Array): void {
    this.total += bytes.length
    const toHead = this.tailLength > 0 ? 0 : Math.min(bytes.length, this.headMax - this.headLength)
    if (toHead > 0) {
      this.head = grownTo(this.head, this.headLength, this.headLength + toHead, this.headMax)
      this.head.set(toHead === bytes.length ? bytes : bytes.subarray(0, toHead), this.headLength)
      this.headLength += toHead
    }
    if (toHead < bytes.length) this.appendTail(bytes.subarray(Math.max(toHead, bytes.length - this.tailMax)))
  }

  addLines(count: number): void {
    this.lines += count
  }

  /** Take back the newest bytes, as far as they are still there. */
  takeBack(count: number): void {
    const available = this.isCut ? this.tailLength : this.total
    const taken = this.newest(Math.min(count, available))
    this.lines -= countLines(taken)
    this.total -= taken.length
    const fromTail = Math.min(taken.length, this.tailLength)
    this.tailLength -= fromTail
    this.tailEnd = (this.tailEnd - fromTail + this.tail.length) % Math.max(1, this.tail.length)
    this.headLength -= taken.length - fromTail
  }

  /** @param open - lines still being written, appended to the text. */
  render(open: string): ViewportText {
    const openBytes = encodeUtf8(open.replaceAll('\n', '\r\n'))
    const newest = joinBytes([this.newestTail(), openBytes])
    if (!this.isCut && this.headLength + newest.length <= this.maxBytes) {
      return {
        text: textOf(joinBytes([this.head.subarray(0, this.headLength), newest])),
        omittedLines: 0,
        omittedBytes: 0,
      }
    }
    const room = Math.max(0, this.maxBytes - NOTE_BYTES)
    const head = lineHead(this.head.subarray(0, Math.min(this.headLength, room >> 1)))
    const tail = lineTail(newest, room - head.length)
    const keptLines = countLines(head) + countLines(tail)
    const omittedLines = this.lines + countLines(openBytes) - keptLines
    // One byte per line end, as in the rendered text.
    const omittedBytes = this.total + openBytes.length - head.length - tail.length - omittedLines
    const atLineStart = head.length === 0 || head[head.length - 1] === LF
    const note = `${atLineStart ? '' : '\n'}… ${grouped(omittedLines)} lines (${grouped(omittedBytes)} bytes) left out …\n`
    const text = room > 0 ? textOf(head) + note + textOf(tail) : ''
    return { text, omittedLines, omittedBytes }
  }

  /** What follows the last line end, as far as it is kept. */
  openLine(): string {
    const tail = this.newestTail()
    const lineEnd = tail.lastIndexOf(LF)
    if (lineEnd >= 0 || this.isCut) return textOf(tail.subarray(lineEnd + 1))
    const head = this.head.subarray(0, this.headLength)
    return textOf(joinBytes([head.subarray(head.lastIndexOf(LF) + 1), tail]))
  }

  private get isCut(): boolean {
    return this.total > this.headLength + this.tailLength
  }

  private appendTail(bytes: Uint8Array): void {
    const wanted = Math.min(this.tailMax, this.tailLength + bytes.length)
    if (wanted > this.tail.length) {
      const kept = this.newestTail()
      this.tail = new Uint8Array(Math.min(this.tailMax, Math.max(this.tail.length * 2, wanted)))
      this.tail.set(kept)
      this.tailEnd = kept.length % this.tail.length
    }
    const first = Math.min(bytes.length, this.tail.length - this.tailEnd)
    this.tail.set(bytes.subarray(0, first), this.tailEnd)
    if (first < bytes.length) this.tail.set(bytes.subarray(first), 0)
    this.tailEnd = (this.tailEnd + bytes.length) % this.tail.length
    this.tailLength = Math.min(this.tail.length, this.tailLength + bytes.length)
  }

  private newest(count: number): Uint8Array {
    const tail = this.newestTail()
    if (count <= tail.length) return tail.subarray(tail.length - count)
    const fromHead = count - tail.length
    return joinBytes([this.head.subarray(this.headLength - fromHead, this.headLength), tail])
  }

  private newestTail(): Uint8Array {
    const start = this.tailEnd - this.tailLength
    if (start >= 0) return this.tail.subarray(start, this.tailEnd)
    return joinBytes([this.tail.subarray(this.tail.length + start), this.tail.subarray(0, this.tailEnd)])
  }
}

/** Whole lines when that costs little, whole code points always. */
function lineHead(bytes: Uint8Array): Uint8Array {
  const lineEnd = bytes.lastIndexOf(LF) + 1
  if (lineEnd > bytes.length / 2) return bytes.subarray(0, lineEnd)
  const whole = wholeLength(bytes)
  return bytes.subarray(0, bytes[whole - 1] === CR ? whole - 1 : whole)
}

function lineTail(bytes: Uint8Array, room: number): Uint8Array {
  const tail = bytes.subarray(Math.max(0, bytes.length - room))
  const lineStart = tail.indexOf(LF) + 1
  if (lineStart > 0 && lineStart < tail.length / 2) return tail.subarray(lineStart)
  return tail.subarray(continuationsIn(tail))
}

function countLines(bytes: Uint8Array): number {
  let lines = 0
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) lines += 1
  return lines
}

function textOf(bytes: Uint8Array): string {
  return decodeUtf8(bytes).replaceAll('\r\n', '\n')
}

function grownTo(bytes: Uint8Array, used: number, needed: number, max: number): Uint8Array {
  if (needed <= bytes.length) return bytes
  const grown = new Uint8Array(Math.min(max, Math.max(bytes.length * 2, needed)))
  grown.set(bytes.subarray(0, used))
  return grown
}
