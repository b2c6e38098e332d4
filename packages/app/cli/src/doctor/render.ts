import type { Check } from './report.js'

/** The longest name of a check, so that findings line up although each is printed when it is known. */
const NAME_WIDTH = 'runner landlock'.length
const MARKS = { ok: '✔', warn: '!', fail: '✘' } as const

/** The lines of one finding: the mark and what was found, and below it cost, advice and notes. */
export function renderCheck(check: Check, paint: (status: Check['status'], text: string) => string): string {
  const { name, status, detail, cost, advice, notes = [] } = check
  const below = (sign: string, text: string) => `  ${' '.repeat(NAME_WIDTH)}  ${sign} ${text}`
  return [
    `${paint(status, MARKS[status])} ${name.padEnd(NAME_WIDTH)}  ${detail}`,
    ...(cost === undefined ? [] : [below('−', cost)]),
    ...(advice === undefined ? [] : [below('→', advice)]),
    ...notes.map((note) => below('·', note)),
  ].join('\n')
}

/** The last line: what all of it comes to. */
export function renderVerdict(checks: readonly Check[]): string {
  const count = (status: Check['status']) => checks.filter((check) => check.status === status).length
  const [failures, warnings] = [count('fail'), count('warn')]
  if (failures > 0) return `${plural(failures, 'failure')}: terminals do not work as they should until that is mended.`
  return warnings > 0 ? `Terminals work here, with ${plural(warnings, 'warning')}.` : 'Terminals work here.'
}

function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
