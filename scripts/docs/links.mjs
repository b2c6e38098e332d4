// Relative links and anchors between pages of this repository. Links to the outside are left alone: no test asks the network.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseMarkdown } from './markdown.mjs'

const OUTSIDE = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i

/**
 * @param root folder that holds the pages.
 * @param pages paths relative to it.
 * @returns {string[]} one sentence per broken link.
 */
export function findBrokenLinks(root, pages) {
  const parsed = new Map()
  const parse = (path) => {
    if (!parsed.has(path)) parsed.set(path, parseMarkdown(readFileSync(join(root, path), 'utf8')))
    return parsed.get(path)
  }
  return pages.flatMap((page) =>
    parse(page).links.flatMap(({ href, line }) => {
      const problem = OUTSIDE.test(href) ? undefined : problemOf(root, page, href, parse)
      return problem === undefined ? [] : [`${page}:${line}: ${href}: ${problem}`]
    }),
  )
}

function problemOf(root, page, href, parse) {
  const [path = '', anchor] = href.split('#')
  if (path.startsWith('/')) return 'is absolute; write it relative to the page'
  const target = path === '' ? page : normalize(join(dirname(page), decodeURIComponent(path)))
  if (target.startsWith('..')) return 'leaves the repository'
  const full = join(root, target)
  if (!existsSync(full)) return `${target} does not exist`
  if (anchor === undefined) return undefined
  if (statSync(full).isDirectory()) return 'a folder has no anchors'
  if (!target.endsWith('.md')) return /^L\d+/.test(anchor) ? undefined : `${target} has no anchors`
  return parse(target).anchors.has(decodeURIComponent(anchor)) ? undefined : `${target} has no heading "${anchor}"`
}
