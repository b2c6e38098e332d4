import { expect, it } from 'vitest'
import { rewriteLinks } from '../docs/site-links.mjs'

const shown = new Set(['README.md', 'docs/a.md', 'packages/x/README.md'])

it.each([
  ['stays when its page is shown', '[a](a.md#part)', '[a](a.md#part)'],
  ['stays within the page', '[a](#part)', '[a](#part)'],
  ['stays to the outside', '[a](https://example.com)', '[a](https://example.com)'],
  ['stays in code', '```md\n[a](code.ts)\n```\n', '```md\n[a](code.ts)\n```\n'],
  [
    'to a folder becomes one to its README',
    '[a](../packages/x) [b](../packages/x/)',
    '[a](../packages/x/README.md) [b](../packages/x/README.md)',
  ],
  ['to what is not shown becomes its text', 'see [`code`](../packages/x/src/code.ts).', 'see `code`.'],
])('a link %s', (_title, text, expected) => {
  expect(rewriteLinks(text, 'docs/page.md', shown)).toBe(expected)
})
