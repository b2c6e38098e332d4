/** A screen as text: its rows, then where the cursor is and how to ask for it again. */
import type { ScreenSnapshot, ScreenSpan } from '@agent-terminals/terminal'
import { cleanLine, cleanText } from './clean.js'
import type { Fact } from './compose.js'

/** Spans named in a text; the data has all of them. */
const MOST_SPANS = 60

/** Rows without the empty ones at the end. */
export function screenText({ rows }: ScreenSnapshot): string {
  const end = rows.findLastIndex((row) => row !== '') + 1
  return cleanText(rows.slice(0, end).join('\n'))
}

/** `screen 120x30, cursor at row 3 column 5, title "vim"; hash 5f0c…`. */
export function screenFact(screen: ScreenSnapshot): Fact {
  const { rows, columns, cursor, title, isAlternate, source, hash } = screen
  const size = `screen ${columns}x${rows.length}`
  const facts = [
    size,
    cursor.isVisible ? `cursor at row ${cursor.row} column ${cursor.column}` : 'cursor hidden',
    title === undefined || title === '' ? undefined : `title ${JSON.stringify(cleanLine(title, 80))}`,
    isAlternate ? 'alternate screen' : undefined,
    source === 'lines' ? 'put together from lines' : undefined,
    `hash ${hash}`,
  ].filter((fact) => fact !== undefined)
  return { text: facts.join(', '), short: `${size}, hash ${hash}` }
}

/** `row 4 column 2 inverse: "Second"`, one per line. */
export function spanFacts(spans: readonly ScreenSpan[]): readonly Fact[] {
  const named = spans.slice(0, MOST_SPANS).map(({ row, column, style, text }) => ({
    text: `row ${row} column ${column} ${style}: ${JSON.stringify(cleanLine(text, 120))}`,
  }))
  return spans.length > MOST_SPANS ? [...named, { text: `${spans.length - MOST_SPANS} more not shown` }] : named
}

export function screenData({ title, ...rest }: ScreenSnapshot): Readonly<Record<string, unknown>> {
  return title === undefined ? rest : { ...rest, title: cleanLine(title, 256) }
}
