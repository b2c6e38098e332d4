/** Searching text. Lines come newest first, because that is where one looks, and because there may be too many matches. */

export interface Query {
  readonly text: string
  readonly isCaseSensitive: boolean
  readonly isRegex: boolean
}

/** A line as it was printed, over as many rows of the screen as it takes. */
export interface TextLine {
  /** Its first row. */
  readonly row: number
  readonly text: string
}

export interface Match {
  readonly line: TextLine
  /** UTF-16 units within the line. */
  readonly start: number
  readonly end: number
}

export interface Found {
  /** Oldest first. */
  readonly matches: readonly Match[]
  /** False when there are more than were asked for: then these are the newest. */
  readonly isComplete: boolean
}

/** @returns nothing for an empty query and for what is no regular expression (yet). */
export function compileQuery({ text, isCaseSensitive, isRegex }: Query): RegExp | undefined {
  if (text === '') return undefined
  const source = isRegex ? text : text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  try {
    return new RegExp(source, isCaseSensitive ? 'g' : 'gi')
  } catch {
    return undefined
  }
}

/** @param lines - newest first. @param pattern - with the flag `g`. */
export function findMatches(lines: Iterable<TextLine>, pattern: RegExp, limit: number): Found {
  const newestFirst: Match[] = []
  for (const line of lines) {
    const inLine: Match[] = []
    for (const { 0: text, index } of line.text.matchAll(pattern)) {
      // Nothing can be shown of an empty match.
      if (text !== '') inLine.push({ line, start: index, end: index + text.length })
    }
    newestFirst.push(...inLine.slice(-limit - 1).reverse())
    if (newestFirst.length > limit) return { matches: newestFirst.slice(0, limit).reverse(), isComplete: false }
  }
  return { matches: newestFirst.reverse(), isComplete: true }
}
