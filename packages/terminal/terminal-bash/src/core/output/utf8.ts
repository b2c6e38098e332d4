/** UTF-8 without host types. Ill-formed input follows the WHATWG decoder: one U+FFFD per maximal ill-formed run. */

export const REPLACEMENT = 0xfffd

/** Length of the sequence a lead byte announces; 0 for a byte that cannot lead one. Unicode 16, table 3-7. */
export function sequenceLength(lead: number): number {
  if (lead < 0x80) return 1
  if (lead < 0xc2) return 0
  if (lead < 0xe0) return 2
  if (lead < 0xf0) return 3
  return lead < 0xf5 ? 4 : 0
}

/** Whether `byte` may follow `lead` as the second byte: rules out over-long forms, surrogates and values above U+10FFFF. */
export function isSecondByte(lead: number, byte: number): boolean {
  if (lead === 0xe0) return byte >= 0xa0 && byte <= 0xbf
  if (lead === 0xed) return byte >= 0x80 && byte <= 0x9f
  if (lead === 0xf0) return byte >= 0x90 && byte <= 0xbf
  if (lead === 0xf4) return byte >= 0x80 && byte <= 0x8f
  return isContinuation(byte)
}

export function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80
}

/**
 * Length of a complete, well-formed sequence at `at`; 0 when the bytes there are ill-formed or end too early.
 */
export function completeSequence(bytes: Uint8Array, at: number, end: number): number {
  const lead = bytes[at] as number
  const length = sequenceLength(lead)
  if (length < 2) return length
  if (at + length > end || !isSecondByte(lead, bytes[at + 1] as number)) return 0
  for (let i = 2; i < length; i += 1) if (!isContinuation(bytes[at + i] as number)) return 0
  return length
}

/** Code point of a well-formed sequence. */
export function codePointAt(bytes: Uint8Array, at: number, length: number): number {
  const lead = bytes[at] as number
  if (length === 1) return lead
  let value = lead & (0x7f >> length)
  for (let i = 1; i < length; i += 1) value = (value << 6) | ((bytes[at + i] as number) & 0x3f)
  return value
}

/** What one byte meant to the incremental decoder. */
export type Utf8Step = 'more' | 'code-point' | 'ill-formed' | 'ill-formed-again'

/** Decoder for sequences split over reads. Between calls it holds at most three bytes. */
export class Utf8Decoder {
  codePoint = 0
  private lead = 0
  private needed = 0

  get isPending(): boolean {
    return this.needed > 0
  }

  /** Forget an unfinished sequence. @returns whether there was one. */
  abandon(): boolean {
    const pending = this.needed > 0
    this.needed = 0
    this.lead = 0
    return pending
  }

  /**
   * Take one byte. After `code-point` the value is in `codePoint`. `ill-formed`: the byte ends an ill-formed run and is part of
   * it. `ill-formed-again`: the run ended before this byte, which must be taken again.
   */
  take(byte: number): Utf8Step {
    if (this.needed === 0) return this.takeLead(byte)
    const fits = this.lead === 0 ? isContinuation(byte) : isSecondByte(this.lead, byte)
    if (!fits) {
      this.abandon()
      return 'ill-formed-again'
    }
    this.lead = 0
    this.codePoint = (this.codePoint << 6) | (byte & 0x3f)
    this.needed -= 1
    return this.needed === 0 ? 'code-point' : 'more'
  }

  private takeLead(byte: number): Utf8Step {
    const length = sequenceLength(byte)
    if (length === 0) return 'ill-formed'
    this.codePoint = length === 1 ? byte : byte & (0x7f >> length)
    this.lead = byte
    this.needed = length - 1
    return length === 1 ? 'code-point' : 'more'
  }
}

/** UTF-16 units handed to `String.fromCharCode` at a time: far below any engine's argument limit. */
const UNITS_PER_STRING = 4096
/** ASCII bytes in a row that end a stretch of other text. */
const ASCII_RUN = 16

/** Decode any bytes. */
export function decodeUtf8(bytes: Uint8Array): string {
  let text = ''
  let at = 0
  while (at < bytes.length) {
    const start = at
    const stop = Math.min(bytes.length, at + UNITS_PER_STRING)
    while (at < stop && (bytes[at] as number) < 0x80) at += 1
    if (at > start) text += stringOf(bytes.subarray(start, at))
    if (at < stop) {
      const end = endOfHigh(bytes, at)
      text += decodeHigh(bytes.subarray(at, end))
      at = end
    }
  }
  return text
}

/** End of a stretch that is worth decoding together: up to the first run of ASCII, or as much as one string takes. */
function endOfHigh(bytes: Uint8Array, from: number): number {
  let at = from
  let ascii = 0
  while (at < bytes.length && ascii < ASCII_RUN) {
    ascii = (bytes[at] as number) < 0x80 ? ascii + 1 : 0
    at += 1
    if (at - from >= UNITS_PER_STRING && ascii > 0) break
  }
  return at
}

function decodeHigh(bytes: Uint8Array): string {
  const units = new Uint16Array(bytes.length + 1)
  const decoder = new Utf8Decoder()
  let used = 0
  const push = (codePoint: number): void => {
    if (codePoint > 0xffff) {
      units[used] = 0xd800 + ((codePoint - 0x10000) >> 10)
      units[used + 1] = 0xdc00 + ((codePoint - 0x10000) & 0x3ff)
      used += 2
    } else {
      units[used] = codePoint
      used += 1
    }
  }
  for (let i = 0; i < bytes.length; i += 1) {
    const step = decoder.take(bytes[i] as number)
    if (step === 'code-point') push(decoder.codePoint)
    else if (step !== 'more') push(REPLACEMENT)
    if (step === 'ill-formed-again') i -= 1
  }
  if (decoder.abandon()) push(REPLACEMENT)
  let text = ''
  for (let i = 0; i < used; i += UNITS_PER_STRING)
    text += stringOf(units.subarray(i, Math.min(used, i + UNITS_PER_STRING)))
  return text
}

function stringOf(units: Uint8Array | Uint16Array): string {
  return String.fromCharCode.apply(null, units as unknown as number[])
}

/** Encode a string. Lone surrogates become U+FFFD. */
export function encodeUtf8(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3)
  let used = 0
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) {
      bytes[used] = unit
      used += 1
      continue
    }
    let codePoint = text.codePointAt(i) as number
    if (codePoint > 0xffff) i += 1
    else if (codePoint >= 0xd800 && codePoint <= 0xdfff) codePoint = REPLACEMENT
    used = writeCodePoint(bytes, used, codePoint)
  }
  return bytes.subarray(0, used)
}

/** Write one code point. @returns the position after it. */
export function writeCodePoint(bytes: Uint8Array, at: number, codePoint: number): number {
  if (codePoint < 0x80) {
    bytes[at] = codePoint
    return at + 1
  }
  if (codePoint < 0x800) {
    bytes[at] = 0xc0 | (codePoint >> 6)
    bytes[at + 1] = 0x80 | (codePoint & 0x3f)
    return at + 2
  }
  if (codePoint < 0x10000) {
    bytes[at] = 0xe0 | (codePoint >> 12)
    bytes[at + 1] = 0x80 | ((codePoint >> 6) & 0x3f)
    bytes[at + 2] = 0x80 | (codePoint & 0x3f)
    return at + 3
  }
  bytes[at] = 0xf0 | (codePoint >> 18)
  bytes[at + 1] = 0x80 | ((codePoint >> 12) & 0x3f)
  bytes[at + 2] = 0x80 | ((codePoint >> 6) & 0x3f)
  bytes[at + 3] = 0x80 | (codePoint & 0x3f)
  return at + 4
}
