/** Finds how far bytes are plain text, four at a time where they are ASCII. */
import { completeSequence } from './utf8.js'

const TAB = 0x09
/** Below this many bytes the view over words costs more than it saves. */
const WORTH_WORDS = 64
const NO_WORDS = new Int32Array(0)

/** One chunk as bytes and as words. */
export class PlainScan {
  private readonly words: Int32Array
  /** Add to a byte's position for its position among the words. */
  private readonly shift: number

  constructor(readonly bytes: Uint8Array) {
    const skew = (4 - (bytes.byteOffset & 3)) & 3
    this.shift = -skew
    this.words =
      bytes.length < WORTH_WORDS
        ? NO_WORDS
        : new Int32Array(bytes.buffer, bytes.byteOffset + skew, (bytes.length - skew) >> 2)
  }

  /** @returns the position of the first byte from `from` on that is neither text nor a tab: a control, ESC or not UTF-8. */
  endOfText(from: number, to: number): number {
    const { bytes, shift } = this
    let i = from
    while (i < to) {
      if (((i + shift) & 3) === 0) {
        i = this.endOfAsciiWords(i, to)
        if (i >= to) return to
      }
      const byte = bytes[i] as number
      if (byte < 0x7f) {
        if (byte < 0x20 && byte !== TAB) return i
        i += 1
      } else if (byte < 0xc2) return i
      else {
        const length = completeSequence(bytes, i, to)
        // U+0080–U+009F are controls.
        if (length === 0 || (byte === 0xc2 && (bytes[i + 1] as number) < 0xa0)) return i
        i += length
      }
    }
    return i
  }

  /** @returns the position of the first byte from `from` on that is not printable ASCII. */
  endOfAscii(from: number, to: number): number {
    const { bytes, shift } = this
    let i = from
    while (i < to) {
      if (((i + shift) & 3) === 0) {
        i = this.endOfAsciiWords(i, to)
        if (i >= to) return to
      }
      const byte = bytes[i] as number
      if (byte < 0x20 || byte >= 0x7f) return i
      i += 1
    }
    return i
  }

  private endOfAsciiWords(from: number, to: number): number {
    const { words, shift } = this
    const end = Math.min(words.length, (to + shift) >> 2)
    let at = (from + shift) >> 2
    while (at < end) {
      const word = words[at] as number
      // A byte with its high bit set, below 0x20, or 0x7f.
      if (((word | (word - 0x20202020) | (word + 0x01010101)) & 0x80808080) !== 0) break
      at += 1
    }
    return Math.max(from, (at << 2) - shift)
  }
}
