/**
 * Beyond lines: screens, keys, search. A backend offers what it can; what it leaves out is refused with `UNSUPPORTED`. The six
 * tools of the seed need none of it.
 */

/**
 * One piece of input. A string names a key (`enter`, `ctrl+x`, `shift+tab`, `f5`) or is a single character; a backend encodes it
 * by the modes that the program has set. `text` is typed as it is. `paste` is text to insert: bracketed where the program has
 * asked for that, so that nothing in it acts as a key.
 */
export type InputPiece = string | { readonly text: string } | { readonly paste: string }

/** New output to wait for. */
export interface OutputPattern {
  /** Plain text within one line, or a regular expression of linear-time syntax (no back-references, no look-around). */
  readonly pattern: string
  readonly isRegex?: boolean
}

export interface ScreenRequest {
  /** Whether to list the runs of cells that look different from plain text. */
  readonly attributes?: boolean
}

/** A place on the screen, counted from 1. */
export interface ScreenCursor {
  readonly row: number
  readonly column: number
  readonly isVisible: boolean
}

/** Neighbouring cells of one row that look alike and unlike plain text. */
export interface ScreenSpan {
  /** Counted from 1. */
  readonly row: number
  readonly column: number
  readonly text: string
  /** Words such as `inverse`, `bold`, `underline`, `fg=7`, `bg=#0000ff`. */
  readonly style: string
}

/** What a person would see now. */
export interface ScreenSnapshot {
  /** One text per row, blanks at its end left out. */
  readonly rows: readonly string[]
  readonly cursor: ScreenCursor
  readonly columns: number
  readonly title: string | undefined
  /** Whether the program has taken the alternate screen. */
  readonly isAlternate: boolean
  /**
   * `emulator`: kept by a terminal emulator from the moment the program began to draw. `lines`: put together from retained
   * lines, because no program draws.
   */
  readonly source: 'emulator' | 'lines'
  /** Equal for equal rows, cursor and attributes. */
  readonly hash: string
  /** Only when asked for. */
  readonly spans?: readonly ScreenSpan[]
}

export interface SearchRequest extends OutputPattern {
  readonly ignoreCase?: boolean
  /** Lines to show before and after each match. */
  readonly context?: number
  /** Number of the first line to search. */
  readonly since?: number
  /** Most matches to return. */
  readonly maxMatches?: number
  readonly signal?: AbortSignal
}

export interface SearchMatch {
  /** Number of the line. It stays the line's own while output arrives and older lines are dropped. */
  readonly line: number
  readonly text: string
  readonly before: readonly string[]
  readonly after: readonly string[]
}

export interface SearchResult {
  readonly matches: readonly SearchMatch[]
  /** The oldest line searched; above `since` (or above 1) when older ones have been lost. */
  readonly firstLine: number
  /** Where the next search goes on: everything before it has been searched. */
  readonly nextLine: number
  /** Why the search stopped before the newest line. */
  readonly stopped?: 'matches' | 'time'
}
