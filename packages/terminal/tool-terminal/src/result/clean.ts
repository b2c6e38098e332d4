/**
 * Text for a model: printable characters, tabs and line feeds. Backends give clean text already; this is the last door, also
 * for error messages, names and texts of other plugins (ECMA-48 §5.3 to §5.6 for the shapes of control functions).
 */
import { clipMiddle } from '@agent-terminals/text'

const UNCLEAN = /[\x00-\x08\x0b-\x1f\x7f-\x9f]|\p{Surrogate}/u

/** DCS, SOS, OSC, PM and APC with their content. An unterminated one reaches to the end of the text, as on a terminal. */
const CONTROL_STRING = /(?:\x1b[PX\]^_]|[\x90\x98\x9d\x9e\x9f])[^\x07\x18\x1a\x1b\x9c]*(?:\x1b\\|[\x07\x18\x1a\x9c])?/g
const CONTROL_SEQUENCE = /(?:\x1b\[|\x9b)[\x30-\x3f]*[\x20-\x2f]*[\x40-\x7e]?/g
const ESCAPE_SEQUENCE = /\x1b[\x20-\x2f]*[\x30-\x7e]?/g
const CONTROL_CHARACTER = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g
const LONE_SURROGATE = /\p{Surrogate}/gu

/** The text without control functions and their content, with line feeds as the only line ends. */
export function cleanText(text: string): string {
  if (!UNCLEAN.test(text)) return text
  return text
    .replace(CONTROL_STRING, '')
    .replace(CONTROL_SEQUENCE, '')
    .replace(ESCAPE_SEQUENCE, '')
    .replace(/\r\n?/g, '\n')
    .replace(CONTROL_CHARACTER, '')
    .replace(LONE_SURROGATE, '\ufffd')
}

/** One clean line of at most `maxBytes`, for names, paths and questions inside a fact. */
export function cleanLine(text: string, maxBytes = 200): string {
  const line = cleanText(text)
    .replace(/[\n\t\u2028\u2029]+/g, ' ')
    .trim()
  return clipMiddle(line, maxBytes, { marker: () => '…' }).text
}

/** Typed text as a person would name it: its first line, control characters in caret notation (`^C`). */
export function titleOf(text: string): string {
  const [first = ''] = text.trimStart().split(/\r\n|\r|\n/, 1)
  const line = first === '' ? text : first
  const visible = line.replace(/[\x00-\x1f\x7f]/g, (control) =>
    control === '\t' ? ' ' : `^${String.fromCharCode(control.charCodeAt(0) ^ 0x40)}`,
  )
  return cleanLine(visible)
}
