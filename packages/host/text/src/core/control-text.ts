/**
 * Terminal output as plain text, piece by piece: control functions and their content are left out, however they are split
 * over pieces. ECMA-48 §5.3 to §5.6 for their shapes; BEL ends an OSC on every terminal in use.
 */
import { clipMiddle } from './bound.js'

type Mode = 'text' | 'escape' | 'sequence' | 'string' | 'string-escape'

/** What the end of a piece left open. */
export interface ControlState {
  readonly mode: Mode
  /** A high surrogate whose other half has not come. */
  readonly half: string
}

export const initialControlState: ControlState = { mode: 'text', half: '' }

const UNCLEAN = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|\p{Surrogate}/u

const ESC = 0x1b
const BEL = 0x07
const CAN = 0x18
const SUB = 0x1a
const CSI = 0x9b
const ST = 0x9c
/** DCS, SOS, OSC, PM, APC: as one character, or as ESC and the second of the pair. */
const STRING_STARTS = new Set([0x90, 0x98, 0x9d, 0x9e, 0x9f])
const STRING_FINALS = new Set([0x50, 0x58, 0x5d, 0x5e, 0x5f])

const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff
const isPlain = (unit: number) =>
  unit === 0x09 || unit === 0x0a || unit === 0x0d || (unit >= 0x20 && unit < 0x7f) || unit > 0x9f

/** The mode after one UTF-16 unit. */
function step(mode: Mode, unit: number): Mode {
  if (mode === 'string' || mode === 'string-escape') {
    if (unit === BEL || unit === CAN || unit === SUB || unit === ST) return 'text'
    if (mode === 'string') return unit === ESC ? 'string-escape' : 'string'
    // ESC \ ends the string; any other escape ends it too and is one of its own.
    return unit === 0x5c ? 'text' : step('escape', unit)
  }
  if (unit === ESC) return 'escape'
  if (unit === CAN || unit === SUB) return 'text'
  if (unit === CSI) return 'sequence'
  if (STRING_STARTS.has(unit)) return 'string'
  if (mode === 'text') return 'text'
  // Control characters act within a sequence as they do outside; what cannot be part of it ends it.
  if (unit < 0x20 || unit === 0x7f) return mode
  if (unit > 0x7f) return 'text'
  if (mode === 'escape') {
    if (unit === 0x5b) return 'sequence'
    if (STRING_FINALS.has(unit)) return 'string'
    return unit >= 0x20 && unit <= 0x2f ? 'escape' : 'text'
  }
  return unit >= 0x40 ? 'text' : 'sequence'
}

/** Whether a unit met in this mode is text, or a line end or tab, and not part of a control function. */
function isShown(mode: Mode, unit: number): boolean {
  if (!isPlain(unit) || mode === 'string') return false
  return mode === 'text' || unit < 0x20 || unit > 0x9f
}

/** Printable characters, tabs, line feeds and carriage returns of a piece, and what it left open. */
export function stripControls(
  state: ControlState,
  piece: string,
): { readonly state: ControlState; readonly text: string } {
  const input = state.half + piece
  if (state.mode === 'text' && !UNCLEAN.test(input)) return { state: initialControlState, text: input }
  let { mode } = state
  let text = ''
  for (let index = 0; index < input.length; index++) {
    const unit = input.charCodeAt(index)
    const isPart = !isShown(mode, unit)
    mode = step(mode, unit)
    if (isPart) continue
    if (isHigh(unit)) {
      if (index + 1 === input.length) return { state: { mode, half: input.slice(index) }, text }
      if (!isLow(input.charCodeAt(index + 1))) text += '\ufffd'
      else text += input.slice(index, ++index + 1)
    } else text += isLow(unit) ? '\ufffd' : input[index]
  }
  return { state: { mode, half: '' }, text }
}

/** A whole text without control functions, with line feeds as the only line ends. */
export function cleanText(text: string): string {
  const clean = stripControls(initialControlState, text)
  return (clean.text + (clean.state.half === '' ? '' : '\ufffd')).replace(/\r\n?/g, '\n')
}

/** One clean line of at most `maxBytes`, for names, paths and notices. The middle of a longer one is left out. */
export function cleanLine(text: string, maxBytes = 200): string {
  const line = cleanText(text)
    .replace(/[\n\t\u2028\u2029]+/g, ' ')
    .trim()
  return clipMiddle(line, maxBytes, { marker: () => '…' }).text
}
