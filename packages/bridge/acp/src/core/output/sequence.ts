/** Where a stream of terminal text may be cut: never inside an escape sequence or a surrogate pair. ECMA-48 §5.3 to §5.6. */

/** A longer control string is not held back for its end: it is left out (images, clipboards). */
export const MAX_HELD_UNITS = 16_384

const ESC = '\x1b'
/** Complete forms at one position: control sequence, escape with intermediates, control string. CAN and SUB end any of them. */
const CONTROL_SEQUENCE = /\x1b\[[\x20-\x3f]*[^\x20-\x3f]/y
const ESCAPE_SEQUENCE = /\x1b[\x20-\x2f]*[^\x20-\x2f[PX\]^_]/y
const CONTROL_STRING = /\x1b[PX\]^_][^\x07\x18\x1a\x1b]*(?:\x07|\x18|\x1a|\x1b\\|\x1b(?=[^\\]))/y

export type Tail =
  /** The whole text stands by itself. */
  | { readonly kind: 'complete' }
  /** From `at` on, something is unfinished. `isString`: a control string, whose end may be far away. */
  | { readonly kind: 'unfinished'; readonly at: number; readonly isString: boolean }

/** How the text ends. It has to begin at the beginning of a character or sequence. */
export function findTail(text: string): Tail {
  let at = text.indexOf(ESC)
  while (at !== -1) {
    const end = endOfSequence(text, at)
    if (end === undefined) return { kind: 'unfinished', at, isString: /^[PX\]^_]/.test(text.slice(at + 1, at + 2)) }
    at = text.indexOf(ESC, end)
  }
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff
    ? { kind: 'unfinished', at: text.length - 1, isString: false }
    : { kind: 'complete' }
}

function endOfSequence(text: string, at: number): number | undefined {
  for (const form of [CONTROL_SEQUENCE, ESCAPE_SEQUENCE, CONTROL_STRING]) {
    form.lastIndex = at
    if (form.test(text)) return form.lastIndex
  }
  return undefined
}

/** The longest beginning of at most `maxUnits` that ends between sequences; all of it when there is no such place. */
export function takeWhole(text: string, maxUnits: number): string {
  if (text.length <= maxUnits) return text
  const part = text.slice(0, maxUnits)
  const tail = findTail(part)
  return tail.kind === 'complete' || tail.at === 0 ? part : part.slice(0, tail.at)
}

/** A control string's end within the text, or nothing. The text continues a string that began earlier. */
export function endOfString(text: string): number | undefined {
  const end = /[\x07\x18\x1a]|\x1b\\?/.exec(text)
  if (!end) return undefined
  // A lone ESC ends the string and begins the next sequence; at the end of the text nobody can tell yet.
  if (end[0] === ESC) return end.index + 1 < text.length ? end.index : undefined
  return end.index + end[0].length
}
