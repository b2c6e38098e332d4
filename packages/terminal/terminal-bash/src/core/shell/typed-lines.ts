/**
 * Finds the exact text of a command among the lines that were typed.
 *
 * Bash cannot print the line it has read without forking, but it counts lines (`LINENO`), and the host knows what it typed. So a
 * command is the typed lines between two counts, byte for byte, however many commands one paste held.
 */
export interface TypedLines {
  readonly lines: readonly string[]
  /** What the shell's count was before the first of `lines`. */
  readonly before: number
}

/** Text followed by Enter, typed at a prompt or a continuation prompt. */
export function addTyped(
  typed: TypedLines | undefined,
  text: string,
  lineCount: number | undefined,
): TypedLines | undefined {
  if (typed !== undefined) return { ...typed, lines: [...typed.lines, ...splitLines(text)] }
  return lineCount === undefined ? undefined : { lines: splitLines(text), before: lineCount }
}

/**
 * @param from - the shell's count at the command before, or at the prompt.
 * @param to - its count now, the command's last line included.
 * @returns `undefined` when other hands have typed too, so that the lines do not add up.
 */
export function takeTyped(typed: TypedLines, from: number, to: number): string | undefined {
  const first = from - typed.before
  const end = to - typed.before
  return first >= 0 && first < end && end <= typed.lines.length ? typed.lines.slice(first, end).join('\n') : undefined
}

function splitLines(text: string): string[] {
  return text.split(/\r\n|[\r\n]/)
}
