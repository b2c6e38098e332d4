/**
 * Finds the exact text of a command among the lines that were typed.
 *
 * Bash cannot print the line it has read without forking, but it counts lines (`LINENO`), and the host knows what it typed. So a
 * command is the typed lines between two counts, byte for byte, however many commands one paste held.
 */
export interface TypedLines {
  readonly lines: readonly string[]
  /** What the shell's count was before the first of `lines`. */
  readonly before: number | undefined
  /** When the last of them was typed. */
  readonly at: number
}

/** Text followed by Enter, typed at a prompt or a continuation prompt. */
export function addTyped(
  typed: TypedLines | undefined,
  text: string,
  lineCount: number | undefined,
  at: number,
): TypedLines {
  const lines = text.split(/\r\n|[\r\n]/)
  return typed === undefined ? { lines, before: lineCount, at } : { ...typed, lines: [...typed.lines, ...lines], at }
}

/**
 * @param from - the shell's count at the command before, or at the prompt.
 * @param to - its count now, the command's last line included. An old bash does not tell it: then one typed line is the command,
 *   and of several nobody can tell.
 * @returns `undefined` when other hands have typed too, so that the lines do not add up.
 */
export function takeTyped(typed: TypedLines, from: number | undefined, to: number | undefined): string | undefined {
  if (to === undefined) return typed.lines.length === 1 ? typed.lines[0] : undefined
  if (from === undefined || typed.before === undefined) return undefined
  const first = from - typed.before
  const end = to - typed.before
  return first >= 0 && first < end && end <= typed.lines.length ? typed.lines.slice(first, end).join('\n') : undefined
}

export function isBlank(typed: TypedLines): boolean {
  return typed.lines.every((line) => /^\s*$/.test(line))
}
