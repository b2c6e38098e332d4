// What a Markdown page holds: its links, the anchors of its headings, its code blocks. Pages are those that git knows or would know.
import { execFileSync } from 'node:child_process'
import GithubSlugger from 'github-slugger'
import MarkdownIt from 'markdown-it'

const parser = new MarkdownIt({ html: true })

/** @returns {string[]} paths relative to the root. */
export function listPages(root) {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '--', '*.md']
  const pages = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim().split('\n')
  return pages.filter((path) => path !== '' && !path.includes('/fixtures/')).sort()
}

export function parseMarkdown(text) {
  const slugger = new GithubSlugger()
  const page = { title: undefined, links: [], anchors: new Set(), blocks: [] }
  const tokens = parser.parse(text, {})
  for (const [index, token] of tokens.entries()) {
    const line = (token.map?.[0] ?? 0) + 1
    if (token.type === 'fence') page.blocks.push({ info: token.info.trim(), code: token.content, line })
    if (token.type === 'heading_open') {
      const title = plainText(tokens[index + 1])
      page.title ??= title
      page.anchors.add(slugger.slug(title))
    }
    for (const child of token.children ?? []) {
      const href = child.attrGet('href') ?? child.attrGet('src')
      if (href) page.links.push({ href, line })
    }
    for (const html of token.type === 'html_block' ? [token] : (token.children ?? [])) {
      if (!html.type.startsWith('html')) continue
      for (const [, id] of html.content.matchAll(/\s(?:id|name)="([^"]+)"/g)) page.anchors.add(id)
    }
  }
  return page
}

function plainText(inline) {
  return (inline?.children ?? [])
    .map((child) => (/^(?:text|code_inline)$/.test(child.type) ? child.content : ''))
    .join('')
}
