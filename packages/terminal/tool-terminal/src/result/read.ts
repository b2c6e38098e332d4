/** Where a page of scrollback lies, and how to reach the next older one. */
import type { ScrollbackPage } from '@agent-terminals/terminal'
import type { Fact } from './compose.js'
import { count } from './words.js'

export function pageFacts(page: ScrollbackPage, offset: number): readonly Fact[] {
  return [
    placeFact(page, offset),
    page.truncated
      ? { text: 'output before the first retained line is lost', short: 'older output is lost' }
      : undefined,
  ].filter((fact) => fact !== undefined)
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
