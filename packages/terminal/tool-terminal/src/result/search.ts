/** Found lines with their numbers, as grep shows them. */
import type { SearchMatch, SearchResult } from '@agent-terminals/terminal'
import { clipMiddle } from '@agent-terminals/text'
import { cleanText } from './clean.js'
import type { Fact } from './compose.js'
import { count } from './words.js'

const MOST_LINE_BYTES = 1_024

/** `12: found`, `11- before it`; `--` between places that do not touch. */
export function searchText({ matches }: SearchResult): string {
  const shown = new Map<number, { readonly text: string; readonly isMatch: boolean }>()
  for (const match of matches) {
    contextOf(match).forEach((text, line) => {
      if (!shown.has(line)) shown.set(line, { text, isMatch: false })
    })
    shown.set(match.line, { text: match.text, isMatch: true })
  }
  const lines: string[] = []
  let last: number | undefined
  for (const [line, { text, isMatch }] of [...shown].sort(([one], [other]) => one - other)) {
    if (last !== undefined && line > last + 1) lines.push('--')
    lines.push(`${line}${isMatch ? ':' : '-'} ${clipMiddle(cleanText(text), MOST_LINE_BYTES).text}`)
    last = line
  }
  // Without context every found line stands for itself.
  const hasContext = matches.some(({ before, after }) => before.length + after.length > 0)
  return (hasContext ? lines : lines.filter((line) => line !== '--')).join('\n')
}

export function searchFacts(result: SearchResult, since: number): readonly Fact[] {
  const { matches, firstLine, nextLine, stopped } = result
  const found = matches.length === 0 ? 'no match' : count(matches.length, 'match', 'matches')
  const reasons = { matches: 'more may follow', time: 'the time for one search is over' }
  const rest = stopped === undefined ? `searched to the newest line` : reasons[stopped]
  return [
    {
      text: `${found}; ${rest}; go on with since ${nextLine}`,
      short: `${found}, next since ${nextLine}`,
      isEssential: true,
    },
    firstLine > since ? { text: `lines before ${firstLine} are lost` } : undefined,
  ].filter((fact) => fact !== undefined)
}

function contextOf({ line, before, after }: SearchMatch): Map<number, string> {
  return new Map([
    ...before.map((text, index) => [line - before.length + index, text] as const),
    ...after.map((text, index) => [line + 1 + index, text] as const),
  ])
}
