/** Pieces of a stream, joined and cut anew so that each stands by itself. */
import { endOfString, findTail, MAX_HELD_UNITS } from './sequence.js'

const LONE_SURROGATE = /\p{Surrogate}/gu

/** A lone surrogate cannot be sent: strict readers refuse the whole line. Sheet §5. */
export const repairText = (text: string) => text.replace(LONE_SURROGATE, '\ufffd')

/** What has come but cannot be shown yet. `discard`: inside a control string too long to be kept. */
export type Held =
  | { readonly kind: 'keep'; readonly text: string }
  | { readonly kind: 'discard'; readonly text: string }

export const NOTHING_HELD: Held = { kind: 'keep', text: '' }

/** @returns text that ends between sequences, and what is held back for the next piece. */
export function splitWhole(held: Held, piece: string): { readonly whole: string; readonly held: Held } {
  const text = held.text + piece
  if (held.kind === 'discard') {
    const end = endOfString(text)
    if (end !== undefined) return splitWhole(NOTHING_HELD, text.slice(end))
    return { whole: '', held: { kind: 'discard', text: text.endsWith('\x1b') ? '\x1b' : '' } }
  }
  const tail = findTail(text)
  if (tail.kind === 'complete') return { whole: repairText(text), held: NOTHING_HELD }
  const whole = repairText(text.slice(0, tail.at))
  const rest = text.slice(tail.at)
  if (rest.length <= MAX_HELD_UNITS) return { whole, held: { kind: 'keep', text: rest } }
  if (tail.isString) return { whole, held: { kind: 'discard', text: rest.endsWith('\x1b') ? '\x1b' : '' } }
  return { whole: whole + repairText(rest), held: NOTHING_HELD }
}

/** What is left at the end of the stream: shown as it is, so that nothing gets lost. */
export function releaseHeld(held: Held): string {
  return held.kind === 'keep' ? repairText(held.text) : ''
}
