/** The command line as the screen shows it, for commands that a person typed key by key. */

/** What bash prints in front of the further lines of an unfinished command, unless the user chose otherwise. */
const CONTINUATION = '> '

/**
 * @param prompt - the last line of the prompt, as the screen showed it when the line editor began to listen.
 * @param lines - the newest lines of the screen, the command's echo at their end, oldest first.
 * @returns `undefined` when the prompt is not among them or holds nothing to recognise it by.
 */
export function readShownCommand(prompt: string, lines: readonly string[]): string | undefined {
  if (prompt.trim() === '') return undefined
  const first = lines.findLastIndex((line) => line.startsWith(prompt))
  if (first === -1) return undefined
  const echoed = lines
    .slice(first)
    .map((line, index) => (index === 0 ? line.slice(prompt.length) : withoutContinuation(line)))
  return echoed.join('\n').trimEnd()
}

function withoutContinuation(line: string): string {
  return line.startsWith(CONTINUATION) ? line.slice(CONTINUATION.length) : line
}
