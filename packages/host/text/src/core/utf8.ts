/**
 * UTF-8 sizes of JavaScript strings, and cuts that never split a code point.
 * A lone surrogate counts three bytes: encoders write U+FFFD for it (WHATWG Encoding, "UTF-8 encoder").
 */

const isLead = (unit: number) => unit >= 0xd800 && unit <= 0xdbff
const isTrail = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff

/** Bytes of one UTF-16 unit that is not half of a pair. */
const unitBytes = (unit: number) => (unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3)

/** Size of the text in UTF-8 bytes. */
export function utf8Length(text: string): number {
  let bytes = 0
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (isLead(unit) && isTrail(text.charCodeAt(index + 1))) {
      bytes += 4
      index++
    } else {
      bytes += unitBytes(unit)
    }
  }
  return bytes
}

/** The longest beginning of the text that takes at most `maxBytes`. */
export function clipHead(text: string, maxBytes: number): string {
  let bytes = 0
  let index = 0
  while (index < text.length) {
    const unit = text.charCodeAt(index)
    const isPair = isLead(unit) && isTrail(text.charCodeAt(index + 1))
    bytes += isPair ? 4 : unitBytes(unit)
    if (bytes > maxBytes) return text.slice(0, index)
    index += isPair ? 2 : 1
  }
  return text
}

/** The longest end of the text that takes at most `maxBytes`. */
export function clipTail(text: string, maxBytes: number): string {
  let bytes = 0
  let index = text.length
  while (index > 0) {
    const unit = text.charCodeAt(index - 1)
    const isPair = isTrail(unit) && index > 1 && isLead(text.charCodeAt(index - 2))
    bytes += isPair ? 4 : unitBytes(unit)
    if (bytes > maxBytes) return text.slice(index)
    index -= isPair ? 2 : 1
  }
  return text
}
