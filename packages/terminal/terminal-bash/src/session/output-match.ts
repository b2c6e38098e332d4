import { TerminalError } from '@agent-terminals/terminal'

/** Whether a line matches. */
export type LineMatcher = (line: string) => boolean

export interface LinePattern {
  readonly pattern: string
  readonly isRegex?: boolean
  readonly ignoreCase?: boolean
}

const MOST_PATTERN_UNITS = 1_024

/**
 * Regular expressions run on RE2: its time is linear in the line, whatever the pattern, so none can hang the host. The engine is
 * loaded when the first one is used.
 * @throws TerminalError `PATTERN_INVALID`.
 */
export async function compilePattern({ pattern, isRegex, ignoreCase }: LinePattern): Promise<LineMatcher> {
  if (pattern === '') throw invalid('It is empty.')
  if (pattern.length > MOST_PATTERN_UNITS) throw invalid(`It is longer than ${MOST_PATTERN_UNITS} characters.`)
  if (/[\r\n]/.test(pattern)) throw invalid('It holds a line end, and lines are matched one at a time.')
  if (!isRegex) {
    if (!ignoreCase) return (line) => line.includes(pattern)
    const wanted = pattern.toLowerCase()
    return (line) => line.toLowerCase().includes(wanted)
  }
  const { RE2JS } = await import('re2js')
  try {
    const compiled = RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0)
    return (line) => compiled.matcher(line).find()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw invalid(`As a regular expression: ${reason}. Back-references and look-around are not available.`)
  }
}

const invalid = (reason: string) =>
  new TerminalError('PATTERN_INVALID', `The pattern cannot be used. ${reason} Nothing was done.`)
