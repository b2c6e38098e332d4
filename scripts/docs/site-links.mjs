// Links of a page, for a site that shows pages only: a folder becomes its README, what is not shown becomes plain text.
import { dirname, join, normalize } from 'node:path'

const LINK = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g

/**
 * @param text Markdown.
 * @param page its path relative to the root.
 * @param {ReadonlySet<string>} shown paths of all pages on the site.
 */
export function rewriteLinks(text, page, shown) {
  return text
    .split(/(^```[\s\S]*?^```)/m)
    .map((part) => (part.startsWith('```') ? part : part.replace(LINK, rewrite)))
    .join('')

  function rewrite(whole, image, label, href) {
    if (image || /^(?:[a-z][a-z0-9+.-]*:|#)/i.test(href)) return whole
    const [path, anchor] = href.split('#')
    const target = normalize(join(dirname(page), path)).replace(/\/$/, '')
    const suffix = anchor === undefined ? '' : `#${anchor}`
    if (shown.has(target)) return whole
    if (shown.has(join(target, 'README.md'))) return `[${label}](${path.replace(/\/$/, '')}/README.md${suffix})`
    return label
  }
}
