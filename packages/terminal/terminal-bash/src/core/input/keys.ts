/** Keys as bytes: what xterm sends for them (xterm ctlseqs, "PC-Style Function Keys"; terminfo `xterm-256color`). Pure. */

import { pasteForProgram } from './paste.js'

/** Modes of the program that change what keys send. */
export interface KeyModes {
  /** DECCKM: cursor keys, Home and End send `ESC O` sequences. */
  readonly applicationCursor: boolean
  readonly bracketedPaste: boolean
}

export type KeyPiece = string | { readonly text: string } | { readonly paste: string }

export type KeyPlan =
  | { readonly kind: 'write'; readonly chunks: readonly string[] }
  /** Nothing is to be written. */
  | { readonly kind: 'unknown'; readonly key: string; readonly message: string }

export const ESC = '\x1b'

/** Final byte of `CSI` (or `SS3` in application mode). */
const CURSOR_KEYS: ReadonlyMap<string, string> = new Map([
  ['up', 'A'],
  ['down', 'B'],
  ['right', 'C'],
  ['left', 'D'],
  ['home', 'H'],
  ['end', 'F'],
])
/** `SS3` final; `CSI 1 ; modifier final` with a modifier. */
const PF_KEYS: ReadonlyMap<string, string> = new Map([
  ['f1', 'P'],
  ['f2', 'Q'],
  ['f3', 'R'],
  ['f4', 'S'],
])
/** `CSI number ~`. */
const EDITING_KEYS: ReadonlyMap<string, number> = new Map([
  ['insert', 2],
  ['delete', 3],
  ['pageup', 5],
  ['pagedown', 6],
  ['f5', 15],
  ['f6', 17],
  ['f7', 18],
  ['f8', 19],
  ['f9', 20],
  ['f10', 21],
  ['f11', 23],
  ['f12', 24],
])
const PLAIN_KEYS: ReadonlyMap<string, string> = new Map([
  ['enter', '\r'],
  ['tab', '\t'],
  ['esc', ESC],
  ['space', ' '],
  ['backspace', '\x7f'],
])
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['escape', 'esc'],
  ['return', 'enter'],
  ['del', 'delete'],
  ['ins', 'insert'],
  ['pgup', 'pageup'],
  ['pgdn', 'pagedown'],
  ['pgdown', 'pagedown'],
])
/** Bits of the modifier parameter, less one. */
const MODIFIERS: ReadonlyMap<string, number> = new Map([
  ['shift', 1],
  ['alt', 2],
  ['ctrl', 4],
])

export const KEY_NAMES: readonly string[] = [
  ...PLAIN_KEYS.keys(),
  ...CURSOR_KEYS.keys(),
  ...[...EDITING_KEYS.keys()].filter((name) => !name.startsWith('f')),
  'f1…f12',
]

/** Bytes for pieces of input, in order. An Escape stands alone, so that whoever writes can keep it apart from what follows. */
export function planKeys(pieces: readonly KeyPiece[], modes: KeyModes): KeyPlan {
  const chunks: string[] = []
  for (const piece of pieces) {
    const bytes = typeof piece === 'string' ? encodeKey(piece, modes) : encodeText(piece, modes)
    if (bytes === undefined) return unknownKey(String(piece))
    const last = chunks.at(-1)
    if (last === undefined || last === ESC || bytes === ESC) chunks.push(bytes)
    else chunks[chunks.length - 1] = last + bytes
  }
  return { kind: 'write', chunks }
}

function encodeText(piece: Exclude<KeyPiece, string>, { bracketedPaste }: KeyModes): string {
  if ('text' in piece) return piece.text
  // A terminal pastes line ends as Enter (xterm, "Bracketed Paste Mode").
  const lines = piece.paste.replace(/\r?\n/g, '\r')
  return bracketedPaste ? pasteForProgram(lines).pasted : lines
}

/** @returns `undefined` for a key that has no name here. */
export function encodeKey(key: string, modes: KeyModes): string | undefined {
  if ([...key].length === 1) return isPrintable(key) ? key : undefined
  const parts = key.endsWith('++') ? [...key.slice(0, -2).split('+'), '+'] : key.split('+')
  const base = parts.pop() ?? ''
  let modifier = 0
  for (const part of parts) {
    const bit = MODIFIERS.get(part.toLowerCase())
    if (bit === undefined || (modifier & bit) !== 0) return undefined
    modifier |= bit
  }
  if ([...base].length === 1) return isPrintable(base) ? encodeCharacter(base, modifier) : undefined
  const name = base.toLowerCase()
  return encodeNamed(ALIASES.get(name) ?? name, modifier, modes)
}

const isPrintable = (character: string) => !/[\p{Cc}\p{Surrogate}]/u.test(character)

function encodeNamed(name: string, modifier: number, modes: KeyModes): string | undefined {
  const parameter = modifier + 1
  const cursor = CURSOR_KEYS.get(name)
  if (cursor !== undefined) {
    if (modifier > 0) return `\x1b[1;${parameter}${cursor}`
    return modes.applicationCursor ? `\x1bO${cursor}` : `\x1b[${cursor}`
  }
  const pf = PF_KEYS.get(name)
  if (pf !== undefined) return modifier > 0 ? `\x1b[1;${parameter}${pf}` : `\x1bO${pf}`
  const editing = EDITING_KEYS.get(name)
  if (editing !== undefined) return modifier > 0 ? `\x1b[${editing};${parameter}~` : `\x1b[${editing}~`
  const plain = PLAIN_KEYS.get(name)
  return plain === undefined ? undefined : encodePlain(name, plain, modifier)
}

/** Keys with a character of their own: only few modifiers change what they send. */
function encodePlain(name: string, character: string, modifier: number): string | undefined {
  const alt = (modifier & 2) !== 0 ? ESC : ''
  const rest = modifier & ~2
  if (rest === 0) return alt + character
  if (name === 'tab' && rest === 1) return `${alt}\x1b[Z`
  if (name === 'space' && rest === 4) return `${alt}\0`
  if (name === 'backspace' && rest === 4) return `${alt}\x08`
  return rest === 1 ? alt + character : undefined
}

function encodeCharacter(character: string, modifier: number): string | undefined {
  const alt = (modifier & 2) !== 0 ? ESC : ''
  const shifted = (modifier & 1) !== 0 ? character.toUpperCase() : character
  if ((modifier & 4) === 0) return alt + shifted
  if (character === '?') return `${alt}\x7f`
  // Control takes the low five bits of @ A-Z [ \ ] ^ _ (ECMA-48, C0).
  const code = character.toUpperCase().charCodeAt(0)
  return code >= 0x40 && code <= 0x5f ? alt + String.fromCharCode(code & 0x1f) : undefined
}

function unknownKey(key: string): KeyPlan {
  const names = KEY_NAMES.join(', ')
  return {
    kind: 'unknown',
    key,
    message:
      `There is no key ${JSON.stringify(key.slice(0, 40))}; nothing was written. Keys: ${names}; any single character; with ctrl+, ` +
      'alt+ or shift+ in front (ctrl+c, alt+x, shift+tab). Type words with {"text": "…"}.',
  }
}
