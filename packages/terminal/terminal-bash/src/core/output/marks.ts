/** Recognises our private marks at an ESC, before the parser sees it. */
import type { ShellMark } from './types.js'
import { decodeUtf8, encodeUtf8 } from './utf8.js'

const ESC = 0x1b
const BEL = 0x07
const BACKSLASH = 0x5c

export type MarkMatch =
  /** Ordinary output. */
  | { readonly kind: 'none' }
  /** The bytes so far may become a mark: nothing of them may be passed on yet. */
  | { readonly kind: 'undecided' }
  | { readonly kind: 'mark'; readonly mark: ShellMark; readonly end: number }

const NONE: MarkMatch = { kind: 'none' }
const UNDECIDED: MarkMatch = { kind: 'undecided' }

/**
 * Wire form: `ESC ] 6973 ; <nonce> ; <kind> [ ; <payload> ] BEL`, with ST (`ESC \`) accepted for BEL. A mark without the nonce,
 * with a control character inside or longer than `maxMarkBytes` is ordinary output.
 */
export class MarkMatcher {
  private readonly prefix: Uint8Array

  constructor(
    nonce: string,
    private readonly maxMarkBytes: number,
  ) {
    this.prefix = encodeUtf8(`\u001b]6973;${nonce};`)
  }

  /** @param scanned - bytes after `at` known from an earlier undecided call. */
  match(bytes: Uint8Array, at: number, scanned = 0): MarkMatch {
    const prefix = this.prefix
    const available = bytes.length - at
    const compared = Math.min(prefix.length, available)
    for (let i = Math.min(scanned, compared); i < compared; i += 1) {
      if (bytes[at + i] !== prefix[i]) return NONE
    }
    if (compared < prefix.length) return UNDECIDED
    const bodyAt = at + prefix.length
    const limit = at + this.maxMarkBytes
    // One byte back: an ESC of ST may have been the last byte of the earlier call.
    for (let i = Math.max(bodyAt, at + scanned - 1); i < bytes.length; i += 1) {
      const byte = bytes[i] as number
      if (i >= limit) return NONE
      if (byte >= 0x20) continue
      if (byte === BEL) return markOf(bytes.subarray(bodyAt, i), i + 1)
      if (byte !== ESC) return NONE
      if (i + 1 === bytes.length) return UNDECIDED
      return bytes[i + 1] === BACKSLASH ? markOf(bytes.subarray(bodyAt, i), i + 2) : NONE
    }
    return UNDECIDED
  }
}

function markOf(body: Uint8Array, end: number): MarkMatch {
  const text = decodeUtf8(body)
  const separator = text.indexOf(';')
  const mark =
    separator < 0 ? { kind: text, payload: '' } : { kind: text.slice(0, separator), payload: text.slice(separator + 1) }
  return { kind: 'mark', mark, end }
}
