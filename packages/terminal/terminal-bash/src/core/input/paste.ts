/**
 * Text as a paste. Bracketed paste: xterm control sequences, "Bracketed Paste Mode". GNU Readline manual: `quoted-insert` (`^V`).
 */
const BEGIN = '\x1b[200~'
const END = '\x1b[201~'
const QUOTE = '\x16'

/**
 * For the line editor of our shell. What readline would change inside a paste goes between pastes as a quoted key: the carriage
 * return of a CRLF (it becomes a newline), NUL (it ends the text) and the ESC of an embedded terminator. A lone carriage return
 * is the Enter of a multi-line text and becomes a newline.
 */
export function pasteForLineEditor(text: string): string {
  return text
    .split(/(\r(?=\n)|\x00|\x1b(?=\[201~))/)
    .map((part, index) => (index % 2 === 1 ? QUOTE + part : part === '' ? '' : BEGIN + part + END))
    .join('')
}

/** The same without bracketed paste: every control character as a quoted key. */
export function quoteForLineEditor(text: string): string {
  return text.replace(/\r(?!\n)/g, '\n').replace(/[\x00-\x1f\x7f]/g, (control) => QUOTE + control)
}

/** For a program whose own quoting is unknown: an embedded terminator loses its ESC, and with it any ESC that could take its place. */
export function pasteForProgram(text: string): { readonly pasted: string; readonly removed: boolean } {
  const safe = text.replaceAll(/\x1b+(?=\[201~)/g, '')
  return { pasted: BEGIN + safe + END, removed: safe !== text }
}
