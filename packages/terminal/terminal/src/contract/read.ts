/** Reading retained output. */

export interface ReadRequest {
  /** Most lines to return. */
  readonly lines?: number
  /** Lines to skip, counted back from the newest retained one. */
  readonly offset?: number
  /** Number of the first line wanted: the page then goes forward from there, and `offset` does not count. */
  readonly since?: number
}

/** A page of retained output, oldest line first. Seed: `{ text, totalLines, lineBegin, lineEnd, truncated }`. */
export interface ScrollbackPage {
  readonly text: string
  /** Lines retained now. */
  readonly totalLines: number
  /** First and last line of the page, 1-based within the retained lines; both 0 for an empty page. */
  readonly lineBegin: number
  readonly lineEnd: number
  /** Whether output has been lost to the retention bounds, as opposed to lying on another page. */
  readonly truncated: boolean
  /** Number of the page's first line since the terminal was opened. It never changes, unlike `lineBegin`. From 1. */
  readonly firstLine?: number
  /** `since` for the page that follows this one: the first line that is not on it, or is not finished. */
  readonly nextLine?: number
}
