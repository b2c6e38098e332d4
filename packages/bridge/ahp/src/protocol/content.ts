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
