// Branches of a coverage map (istanbul), told by the text of the source: line numbers would change with every edit.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

/** Longest text of a branch; what is longer is told apart well enough by its beginning. */
const TEXT_LENGTH = 100

/** One line, as it stands in a table. */
const flatten = (text) => text.replace(/\s+/g, ' ').trim()

export function clipText(text) {
  const flat = flatten(text)
  return flat.length <= TEXT_LENGTH ? flat : `${flat.slice(0, TEXT_LENGTH)} …`
}

function createSlicer(source) {
  const starts = [0]
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1)
  // The map leaves the column out where it means the end of the line.
  const offsetOf = ({ line, column }) =>
    column === null ? (starts[line] ?? source.length + 1) - 1 : starts[line - 1] + column
  return (from, to) => source.slice(offsetOf(from), offsetOf(to))
}

/** Where the map only knows the line of its end, what closes the expression around it comes along. */
function withoutRest(text) {
  const isOpen = (bracket, other) => text.split(bracket).length > text.split(other).length
  for (;;) {
    const last = text.at(-1)
    const isRest =
      /[\s,;?:&|]/.test(last ?? '') ||
      (last === ')' && isOpen(')', '(')) ||
      (last === ']' && isOpen(']', '[')) ||
      (last === '}' && isOpen('}', '{'))
    if (!isRest) return text
    text = text.slice(0, -1)
  }
}

/** `if (…)` of a statement: the map does not say where its condition ends. Parentheses within texts come in pairs in our sources. */
function takeCondition(statement) {
  let depth = 0
  for (const { 0: bracket, index } of statement.matchAll(/[()]/g)) {
    depth += bracket === '(' ? 1 : -1
    if (depth === 0) return statement.slice(0, index + 1)
  }
  return statement
}

/**
 * How a branch reads: its condition and the way it does not go, or the operand that is not used.
 * @param {number} arm index of the way.
 */
function describeBranch({ type, loc, locations }, arm, slice) {
  const own = locations[arm]
  switch (type) {
    case 'if':
      return `${clipText(takeCondition(slice(loc.start, loc.end)))} ${arm === 0 ? 'then' : 'else'}`
    case 'cond-expr':
      return `${clipText(slice(loc.start, locations[0].start).replace(/\?\s*$/, ''))} ? ${arm === 0 ? 'then' : 'else'}`
    default:
      return clipText(withoutRest(flatten(slice(own.start, own.end))))
  }
}

/**
 * @param coverage the content of coverage-final.json.
 * @returns per file: its path, counts of lines and branches, and each branch that has an arm as `{ text, isCovered }`. Branches that read the
 * same in one file count as one, covered when all of them are.
 */
export function readBranches(coverage, root) {
  return Object.values(coverage)
    .map((file) => {
      const slice = createSlicer(readFileSync(file.path, 'utf8'))
      const arms = Object.entries(file.branchMap).flatMap(([id, branch]) =>
        file.b[id].map((count, arm) => ({ text: describeBranch(branch, arm, slice), isCovered: count > 0 })),
      )
      const byText = new Map()
      for (const { text, isCovered } of arms) byText.set(text, (byText.get(text) ?? true) && isCovered)
      return {
        path: relative(root, file.path),
        lines: countLines(file),
        branches: { all: arms.length, covered: arms.filter(({ isCovered }) => isCovered).length },
        texts: byText,
      }
    })
    .sort((one, other) => one.path.localeCompare(other.path))
}

/** A line is covered when any statement that begins on it is. */
function countLines({ statementMap, s }) {
  const lines = new Map()
  for (const [id, { start }] of Object.entries(statementMap)) {
    lines.set(start.line, (lines.get(start.line) ?? false) || s[id] > 0)
  }
  return { all: lines.size, covered: [...lines.values()].filter(Boolean).length }
}
