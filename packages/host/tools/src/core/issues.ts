/** Validation issues in words: one line each, with path, expectation and what came. */
import type { z } from 'zod'

type Issue = z.core.$ZodIssue

const MAX_LINES = 20
const MAX_PREVIEW = 40

export interface IssueContext {
  /** The arguments as they came. */
  readonly args: unknown
  /** Names of the top-level parameters. */
  readonly parameters: readonly string[]
}

/** One line per issue, at most twenty and a count of the rest. */
export function renderIssues(issues: readonly Issue[], context: IssueContext): string {
  const lines = dropRepeated(issues).flatMap((issue) => renderIssue(issue, context))
  const shown = lines.slice(0, MAX_LINES)
  if (lines.length > MAX_LINES) shown.push(`and ${lines.length - MAX_LINES} more`)
  return shown.map((line) => `- ${line}`).join('\n')
}

/** A whole number far too big breaks two bounds of one value, its type's and its own: the last one says more. */
function dropRepeated(issues: readonly Issue[]): readonly Issue[] {
  const isBound = ({ code }: Issue) => code === 'too_big' || code === 'too_small'
  const keyOf = (issue: Issue) => `${issue.code} ${renderPath(issue.path)}`
  const last = new Map(issues.filter(isBound).map((issue) => [keyOf(issue), issue]))
  return issues.filter((issue) => !isBound(issue) || last.get(keyOf(issue)) === issue)
}

function renderIssue(issue: Issue, context: IssueContext): string[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => renderUnknownKey(issue.path, key, context))
  const value = valueAt(context.args, issue.path)
  // What a check of several parameters together has to say names them itself.
  if (issue.code === 'custom' && issue.path.length === 0 && isObject(value)) return [issue.message]
  return [`${renderPath(issue.path)}: ${describeProblem(issue)}, received ${describeValue(value)}`]
}

function renderUnknownKey(path: readonly PropertyKey[], key: string, { parameters }: IssueContext): string {
  const known =
    path.length > 0 ? '' : parameters.length > 0 ? `; the parameters are ${parameters.join(', ')}` : '; there are none'
  return `${renderPath([...path, key])}: not a known parameter${known}`
}

/** The schema's own words where its author wrote some, otherwise the expectation. */
function describeProblem(issue: Issue): string {
  const isDefault = /^(?:Invalid|Too (?:small|big)|Unrecognized)\b/.test(issue.message)
  const expectation = isDefault ? describeExpectation(issue) : undefined
  return expectation === undefined ? issue.message : `expected ${expectation}`
}

function describeExpectation(issue: Issue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return nameType(issue.expected)
    case 'invalid_value':
      return listChoices(issue.values)
    case 'too_small':
      return `${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}${unitOf(issue.origin, issue.minimum)}`
    case 'too_big':
      return `${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}${unitOf(issue.origin, issue.maximum)}`
    case 'not_multiple_of':
      return `a multiple of ${issue.divisor}`
    case 'invalid_format':
      return issue.pattern ? `text of the form ${issue.pattern}` : `text of the form ${issue.format}`
    case 'invalid_union':
      return describeUnion(issue)
    default:
      return undefined
  }
}

function describeUnion(issue: Extract<Issue, { code: 'invalid_union' }>): string | undefined {
  if (issue.errors.length === 0) return 'options' in issue && issue.options ? listChoices(issue.options) : undefined
  const expectations = issue.errors.map((branch) => branch[0] && describeExpectation(branch[0]))
  const known = [...new Set(expectations.filter((each) => each !== undefined))]
  return known.length > 0 ? known.join(' or ') : undefined
}

function listChoices(values: readonly unknown[]): string {
  const choices = values.map((value) => (typeof value === 'string' ? JSON.stringify(value) : String(value)))
  return choices.length === 1 ? String(choices[0]) : `one of ${choices.join(', ')}`
}

function unitOf(origin: string, amount: number | bigint): string {
  const ending = Number(amount) === 1 ? '' : 's'
  if (origin === 'string') return ` character${ending}`
  return origin === 'array' || origin === 'set' || origin === 'map' ? ` item${ending}` : ''
}

function nameType(type: string): string {
  const names: Readonly<Record<string, string>> = { int: 'a whole number', array: 'a list', object: 'an object' }
  return names[type] ?? `a ${type}`
}

/** A value in a few words. Long text is told by its length, never quoted. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') {
    return value.length <= MAX_PREVIEW ? JSON.stringify(value) : `text of ${value.length} characters`
  }
  if (Array.isArray(value)) return 'a list'
  if (isObject(value)) return 'an object'
  return typeof value === 'function' || typeof value === 'symbol' ? `a ${typeof value}` : String(value)
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

function renderPath(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'arguments'
  return path
    .map((part) => String(part))
    .map((part) => (part.length <= MAX_PREVIEW ? part : `${part.slice(0, MAX_PREVIEW)}…`))
    .map((part) => (/^[\w$-]+…?$/.test(part) ? part : JSON.stringify(part)))
    .join('.')
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Readonly<Record<PropertyKey, unknown>>)[part]
  }
  return value
}
