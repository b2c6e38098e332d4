/** Retained content: its raw stream, its size and how it is trimmed. Sheet §6.6 and §13. */
import type { ContentPart } from './shapes.js'

function textOf(part: ContentPart): string {
  if (part.type === 'command') return part.output
  // A part of an unknown type contributes nothing.
  return part.type === 'unclassified' ? part.value : ''
}

/** What the terminal printed, as one string. */
export function rawStream(content: readonly ContentPart[]): string {
  return content.map(textOf).join('')
}

/** Length of the raw stream in UTF-16 units. */
export function contentLength(content: readonly ContentPart[]): number {
  return content.reduce((sum, part) => sum + textOf(part).length, 0)
}

/** How far behind the cut a line end is looked for. */
const LINE_SEARCH_UNITS = 4_096

/** Parts that are kept apart, however little is in them: each costs memory, and a look at every change. */
export const MAX_PARTS = 2_048
/** What is left of either bound once it has been passed, so that not every addition has to make room. */
const SHRINK_TO = 0.8

/**
 * Keep content within `maxUnits` UTF-16 units, of which the oldest go, and `MAX_PARTS` parts, of which the oldest become one
 * text. The very same list when nothing is to be done.
 */
export function boundContent(content: readonly ContentPart[], maxUnits: number): readonly ContentPart[] {
  const isLong = contentLength(content) > maxUnits
  return boundParts(isLong ? trimContent(content, Math.floor(maxUnits * SHRINK_TO)) : content)
}

/** The oldest parts become one text, and nothing of what was printed is lost. A command that still runs stays one. */
export function boundParts(content: readonly ContentPart[]): readonly ContentPart[] {
  if (content.length <= MAX_PARTS) return content
  const count = content.length - Math.floor(MAX_PARTS * SHRINK_TO)
  const oldest: ContentPart[] = []
  for (const part of content.slice(0, count)) {
    const last = oldest.at(-1)
    if (part.type === 'command' && !part.isComplete) oldest.push(part)
    else if (last?.type === 'unclassified') oldest.splice(-1, 1, withText(last, last.value + textOf(part)))
    else oldest.push({ type: 'unclassified', value: textOf(part) })
  }
  return [...oldest, ...content.slice(count)]
}

/**
 * Drop the oldest text until at most `limit` UTF-16 units are left: whole parts first, then the head of the first that remains,
 * after a line end if one is near and never inside a surrogate pair. A command that still runs loses only output.
 */
export function trimContent(content: readonly ContentPart[], limit: number): readonly ContentPart[] {
  let excess = contentLength(content) - limit
  if (excess <= 0) return content
  let first = 0
  const kept: ContentPart[] = []
  for (; first < content.length && excess > 0; first++) {
    const part = content[first]
    if (!part) break
    const text = textOf(part)
    const isRunning = part.type === 'command' && !part.isComplete
    if (text.length <= excess && !isRunning) {
      excess -= text.length
      continue
    }
    kept.push(withText(part, text.slice(findCut(text, Math.min(excess, text.length)))))
    excess -= text.length
  }
  return [...kept, ...content.slice(first)]
}

/** @returns the index from which a text is kept: at or behind `at`. */
function findCut(text: string, at: number): number {
  if (at >= text.length) return text.length
  const lineEnd = text.indexOf('\n', at - 1)
  if (lineEnd !== -1 && lineEnd - at < LINE_SEARCH_UNITS && lineEnd + 1 < text.length) return lineEnd + 1
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff ? at + 1 : at
}

function withText(part: ContentPart, text: string): ContentPart {
  return part.type === 'command' ? { ...part, output: text } : { ...part, value: text }
}
