/** Terminal text for clients that draw no terminal: no controls, and of each line only its last state. Sheet FB-3. */

const CONTROL_STRING = /(?:\x1b[PX\]^_]|[\x90\x98\x9d\x9e\x9f])[^\x07\x18\x1a\x1b\x9c]*(?:\x1b\\|[\x07\x18\x1a\x9c])?/g
const CONTROL_SEQUENCE = /(?:\x1b\[|\x9b)[\x20-\x3f]*[\x40-\x7e]?/g
const ESCAPE_SEQUENCE = /\x1b[\x20-\x2f]*[\x30-\x7e]?/g
const CONTROL_CHARACTER = /[\x00-\x07\x0b\x0c\x0e-\x1f\x7f-\x9f]/g
const LONE_SURROGATE = /\p{Surrogate}/gu

/** Plain lines. Carriage returns and backspaces overwrite; trailing blank lines go. */
export function renderPlain(text: string): string {
  return text
    .replace(CONTROL_STRING, '')
    .replace(CONTROL_SEQUENCE, '')
    .replace(ESCAPE_SEQUENCE, '')
    .replace(/\r+\n/g, '\n')
    .replace(CONTROL_CHARACTER, '')
    .replace(LONE_SURROGATE, '\ufffd')
    .split('\n')
    .map(overwrite)
    .join('\n')
    .replace(/\s+$/, '')
}

/** What stands on a line after its carriage returns and backspaces. */
function overwrite(line: string): string {
  if (!/[\r\b]/.test(line)) return line
  const cells: string[] = []
  let column = 0
  for (const character of line) {
    if (character === '\r') column = 0
    else if (character === '\b') column = Math.max(0, column - 1)
    else cells[column++] = character
  }
  return cells.join('')
}
