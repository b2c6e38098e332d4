/** A result text within its bound: output first, then bracketed facts, one per line. */
import { clipMiddle, utf8Length } from '@agent-terminals/text'

/** One bracketed line below the output. */
export interface Fact {
  readonly text: string
  /** What to say instead when room is short. */
  readonly short?: string
  /** Kept at any bound: ids, and how a send ended. */
  readonly isEssential?: boolean
}

export interface Composed {
  readonly text: string
  /** The output as it stands in the text. */
  readonly body: string
  /** What the bound has cut out of the output. */
  readonly omittedBytes: number
  readonly omittedLines: number
}

const line = (text: string) => `[${text}]`
const shortOf = (fact: Fact) => fact.short ?? fact.text
const sizeOf = (lines: readonly string[]) => lines.reduce((sum, each) => sum + utf8Length(each) + 1, 0)

/** Output and facts in at most `maxBytes`. Facts keep their place; the middle of the output goes. */
export function composeText(output: string, facts: readonly Fact[], maxBytes: number): Composed {
  const whole = join(
    output,
    facts.map((fact) => line(fact.text)),
  )
  if (utf8Length(whole) <= maxBytes) return { text: whole, body: output, omittedBytes: 0, omittedLines: 0 }

  const outputRoom = Math.min(utf8Length(output) + 1, Math.floor(maxBytes / 2))
  const suffix = chooseFacts(facts, output === '' ? maxBytes : maxBytes - outputRoom)
  const body = clipMiddle(output, Math.max(0, maxBytes - sizeOf(suffix)))
  return {
    text: clipMiddle(join(body.text, suffix), maxBytes).text,
    body: body.text,
    omittedBytes: body.omittedBytes,
    omittedLines: body.omittedLines,
  }
}

/** Essential facts first, in their short form; then whatever the room still takes, in order. */
function chooseFacts(facts: readonly Fact[], room: number): string[] {
  const chosen = facts.map((fact) => (fact.isEssential ? line(shortOf(fact)) : undefined))
  const present = () => chosen.filter((each) => each !== undefined)
  facts.forEach((fact, index) => {
    for (const candidate of [line(fact.text), line(shortOf(fact))]) {
      const before = chosen[index]
      chosen[index] = candidate
      if (sizeOf(present()) <= room + 1) return
      chosen[index] = before
    }
  })
  return present()
}

function join(body: string, lines: readonly string[]): string {
  const suffix = lines.join('\n')
  if (body === '' || suffix === '') return body + suffix
  return body.endsWith('\n') ? body + suffix : `${body}\n${suffix}`
}
