/** Where a page of scrollback lies, and how to reach the next older one. */
import type { ScrollbackPage } from '@agent-terminals/terminal'
import type { Fact } from './compose.js'
import { count } from './words.js'

/** @param numbers - given where lines are named by their numbers; `since` is where a page that goes forward was asked for. */
export function pageFacts(
  page: ScrollbackPage,
  offset: number,
  numbers?: { readonly since: number | undefined },
): readonly Fact[] {
  return [
    numbers?.since === undefined ? placeFact(page, offset) : undefined,
    numbers === undefined ? undefined : numberFact(page, numbers.since),
    page.truncated
      ? { text: 'output before the first retained line is lost', short: 'older output is lost' }
      : undefined,
  ].filter((fact) => fact !== undefined)
}

/** `lines 4 to 9; go on with since 10`. */
function numberFact(
  { firstLine = 1, nextLine = 1, lineBegin, lineEnd }: ScrollbackPage,
  since: number | undefined,
): Fact {
  const next = `go on with since ${nextLine}`
  if (since === undefined) return { text: next }
  const amount = lineEnd === 0 ? 0 : lineEnd - lineBegin + 1
  const place = amount === 0 ? 'no line yet' : `from line ${firstLine} on, ${count(amount, 'line')}`
  return { text: `${place}; ${next}`, short: next, isEssential: true }
}

function placeFact(page: ScrollbackPage, offset: number): Fact | undefined {
  if (page.totalLines === 0) return { text: 'no output yet' }
  if (page.lineEnd === 0) {
    return { text: `nothing at offset ${offset}: ${count(page.totalLines, 'line')} retained`, short: 'nothing there' }
  }
  if (page.lineBegin === 1 && page.lineEnd === page.totalLines) return undefined
  const place = `lines ${page.lineBegin}-${page.lineEnd} of ${page.totalLines}`
  const older = page.lineBegin > 1 ? `; older ones with offset ${page.totalLines - page.lineBegin + 1}` : ''
  return { text: `${place}${older}`, short: place, isEssential: true }
}
