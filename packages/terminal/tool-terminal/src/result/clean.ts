/**
 * Text for a model: printable characters, tabs and line feeds. Backends give clean text already; this is the last door, also
 * for error messages, names and texts of other plugins.
 */
import { cleanLine, cleanText } from '@agent-terminals/text'

export { cleanLine, cleanText }

/** Typed text as a person would name it: its first line, control characters in caret notation (`^C`). */
export function titleOf(text: string): string {
  const [first = ''] = text.trimStart().split(/\r\n|\r|\n/, 1)
  const line = first === '' ? text : first
  const visible = line.replace(/[\x00-\x1f\x7f]/g, (control) =>
    control === '\t' ? ' ' : `^${String.fromCharCode(control.charCodeAt(0) ^ 0x40)}`,
  )
  return cleanLine(visible)
}
