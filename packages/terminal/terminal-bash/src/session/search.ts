import type { SearchMatch, SearchRequest, SearchResult } from '@agent-terminals/terminal'
import type { TerminalOutput } from '../core/index.js'
import type { Clock } from './clock.js'
import { compilePattern } from './output-match.js'

const DEFAULT_MATCHES = 50
const MOST_MATCHES = 1_000
const MOST_CONTEXT = 20
/** Lines looked at between two turns of the event loop. */
const LINES_PER_TURN = 500
/** Longest search; the answer says where to go on. */
const MOST_MS = 2_000

/**
 * Search retained lines from the oldest on. Output may arrive meanwhile: lines keep their numbers.
 * @throws TerminalError `PATTERN_INVALID`; the signal's own reason.
 */
export async function searchLines(output: TerminalOutput, clock: Clock, request: SearchRequest): Promise<SearchResult> {
  const isMatch = await compilePattern(request)
  const most = Math.min(request.maxMatches ?? DEFAULT_MATCHES, MOST_MATCHES)
  const context = Math.min(request.context ?? 0, MOST_CONTEXT)
  const deadline = clock.now() + MOST_MS
  const matches: SearchMatch[] = []
  let firstLine: number | undefined
  let since = request.since ?? 1
  for (;;) {
    request.signal?.throwIfAborted()
    const page = output.pageSince({ since, lines: LINES_PER_TURN })
    firstLine ??= page.firstLine
    const lines = page.lineEnd === 0 ? [] : page.text.split('\n')
    for (const [index, text] of lines.entries()) {
      const line = page.firstLine + index
      if (!isMatch(text)) continue
      matches.push(withContext(output, line, text, context))
      if (matches.length >= most) return { matches, firstLine, nextLine: line + 1, stopped: 'matches' }
    }
    const end = page.firstLine + lines.length
    if (lines.length === 0 || page.lineEnd >= page.totalLines) return { matches, firstLine, nextLine: page.nextLine }
    if (clock.now() > deadline) return { matches, firstLine, nextLine: end, stopped: 'time' }
    since = end
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
}

function withContext(output: TerminalOutput, line: number, text: string, context: number): SearchMatch {
  if (context === 0) return { line, text, before: [], after: [] }
  const page = output.pageSince({ since: Math.max(1, line - context), lines: 2 * context + 1 })
  const lines = page.text.split('\n')
  const at = line - page.firstLine
  return { line, text, before: lines.slice(0, Math.max(0, at)), after: lines.slice(at + 1, at + 1 + context) }
}
