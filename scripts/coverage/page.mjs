// docs/coverage.md: the branches that no test runs, and why. One table per file.
import { parseMarkdown } from '../docs/markdown.mjs'

const FILE = /^### `(?<path>[^`]+)`$/
/** Text that holds a backtick stands between two. */
const ROW = /^\| (?:`` (?<ticked>.+?) ``|`(?<plain>[^`]+)`) \| (?<why>.+) \|$/

/** Rows with this word at the beginning hang on timing or on the machine: covered in one run and not in the next. */
const SOMETIMES = 'Sometimes'

/** @returns {{ path: string, text: string, why: string, isSometimes: boolean }[]} */
export function parsePage(markdown) {
  const explained = []
  let path
  for (const line of markdown.split('\n')) {
    path = FILE.exec(line)?.groups.path ?? path
    const row = ROW.exec(line)?.groups
    if (row === undefined || path === undefined) continue
    const text = (row.ticked ?? row.plain).replaceAll('\\|', '|')
    explained.push({ path, text, why: row.why, isSometimes: row.why.startsWith(SOMETIMES) })
  }
  return explained
}

/** Whether the page is one that the parser sees whole: every table row under a file is a branch. */
export function findUnreadRows(markdown) {
  const { blocks } = parseMarkdown(markdown)
  if (blocks.length > 0) return ['code blocks are not read']
  const from = markdown.indexOf('\n### ')
  const rows =
    from === -1
      ? []
      : markdown
          .slice(from)
          .split('\n')
          .filter((line) => line.startsWith('|'))
  return rows.filter((line) => !ROW.test(line) && !/^\| (?:Branch|---)/.test(line))
}

/**
 * @param files as `readBranches` gives them.
 * @param explained as `parsePage` gives them.
 */
export function compare(files, explained) {
  const keyOf = (path, text) => `${path}\n${text}`
  const whyOf = new Map(explained.map((row) => [keyOf(row.path, row.text), row]))
  const coveredOf = new Map(files.flatMap(({ path, texts }) => [...texts].map(([text, is]) => [keyOf(path, text), is])))
  return {
    unexplained: files.flatMap(({ path, texts }) =>
      [...texts]
        .filter(([text, isCovered]) => !isCovered && !whyOf.has(keyOf(path, text)))
        .map(([text]) => ({ path, text })),
    ),
    covered: explained.filter(
      ({ path, text, isSometimes }) => !isSometimes && coveredOf.get(keyOf(path, text)) === true,
    ),
    gone: explained.filter(({ path, text }) => !coveredOf.has(keyOf(path, text))),
  }
}
