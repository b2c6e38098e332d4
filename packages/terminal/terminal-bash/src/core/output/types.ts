/** Shapes of the output side: bytes in, raw stream, marks and text out. */

/** A private mark found in the stream: already authenticated by the session's nonce, not yet interpreted. */
export interface ShellMark {
  readonly kind: string
  readonly payload: string
}

/** A mode a program has set that matters to whoever types or waits. */
export type ModeChange =
  | { readonly mode: 'alternate-screen'; readonly on: boolean }
  | { readonly mode: 'bracketed-paste'; readonly on: boolean }
  | { readonly mode: 'application-cursor'; readonly on: boolean }
  | { readonly mode: 'application-keypad'; readonly on: boolean }
  | { readonly mode: 'cursor-hidden'; readonly on: boolean }
  /** The program has jumped on the screen, other than home: it draws a screen, not lines. Redrawing lines above is no jump. */
  | { readonly mode: 'cursor-addressing'; readonly on: true; readonly sequence: string }
  /** The whole screen has been emptied: what is drawn from here on can be known without what was there before. */
  | { readonly mode: 'screen-cleared'; readonly on: true }

/** A question a program asks its terminal. Answered once, by the session. */
export type TerminalQuery =
  | 'cursor-position'
  | 'device-status'
  | 'primary-attributes'
  | 'secondary-attributes'
  | 'foreground-color'
  | 'background-color'
  /** Whether a DEC private mode is set. */
  | `mode:${number}`

/** Receives everything in stream order while a chunk is fed. */
export interface OutputSink {
  /** Output with our marks removed and nothing else changed. Borrowed: copy to keep. */
  raw(bytes: Uint8Array): void
  mark(mark: ShellMark): void
  title(title: string): void
  mode(change: ModeChange): void
  query(query: TerminalQuery): void
}

/** What one chunk meant for a reader of lines. */
export interface FeedSummary {
  /** Printable text, a new line or an erasure arrived (not only colours or marks). */
  readonly printed: boolean
  /** All that arrived only redrew the line the cursor was on. */
  readonly redrawOnly: boolean
}

export interface ViewportText {
  readonly text: string
  readonly omittedLines: number
  readonly omittedBytes: number
}

export interface ViewportOptions {
  /** Input whose echo by a program is recognised and left out. */
  readonly echo?: string
  /** Told every finished line, in order, with its line feed. A line that a program moves back up to and redraws comes again. */
  readonly onLines?: (text: string) => void
}

/** Rendered output of one send, bounded by a head and a tail. */
export interface ViewportCollector {
  /** While suppressed, text goes to scrollback only: prompts and the line editor's echo. */
  suppress(on: boolean): void
  /** Leave out the next line if there is nothing in it. */
  skipEmptyLine(): void
  snapshot(): ViewportText
  /** The last line of the snapshot while collecting, whole, and without the cost of the rest. */
  lastLine(): string
  /** Stop collecting; later output goes to scrollback only. Idempotent. */
  stop(): ViewportText
}

export interface Page {
  readonly text: string
  readonly totalLines: number
  readonly lineBegin: number
  readonly lineEnd: number
  readonly truncated: boolean
  /** Number of the page's first line since the beginning, from 1. Unlike `lineBegin` it stays the line's own. */
  readonly firstLine: number
  /** Number of the first line after the page, or of the first one on it that is not finished. */
  readonly nextLine: number
}

/** The output side of one session. */
export interface TerminalOutput {
  feed(chunk: Uint8Array, sink: OutputSink): FeedSummary
  /** One collector at a time; a new one stops the old. */
  startViewport(options: ViewportOptions): ViewportCollector
  page(request: { readonly lines?: number; readonly offset?: number }): Page
  /** A page that goes forward from the line with that number, or from the oldest retained one after it. */
  pageSince(request: { readonly since: number; readonly lines?: number }): Page
  /** Lines that a terminal would still show, as far as they were printed as lines; the cursor is on the last but `below`. */
  shownLines(): { readonly text: string; readonly below: number }
  /** The line the cursor is on, without escapes; of a long one about the last 1024 characters. */
  currentLine(): string
  /** Column of the cursor within its row, from 0. */
  cursorColumn(): number
  /** Tell the new size: what programs do at their right margin depends on it. */
  resize(columns: number, rows: number): void
}
