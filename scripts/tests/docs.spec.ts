import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { useBaseline } from '@agent-terminals/testing'
import { describe, expect, it } from 'vitest'
import { findRunnableBlocks, runBlock } from '../docs/blocks.mjs'
import { findBrokenLinks } from '../docs/links.mjs'
import { listPages, parseMarkdown } from '../docs/markdown.mjs'
import { root } from '../packages.mjs'

useBaseline()

const pages = listPages(root)

describe('the pages of this repository', () => {
  it('link to files and headings that exist', () => {
    expect(pages).toContain('README.md')
    expect(findBrokenLinks(root, pages)).toEqual([])
  })

  const blocks = pages.flatMap((page) =>
    findRunnableBlocks(parseMarkdown(readFileSync(join(root, page), 'utf8'))).map((block) => ({
      title: `${page}:${block.line}`,
      page,
      block,
    })),
  )
  it('have blocks that claim to run', () => {
    expect(new Set(blocks.map(({ page }) => page))).toEqual(
      new Set(['docs/embedding.md', 'packages/app/embed/README.md', 'packages/host/text/README.md']),
    )
  })

  it('show JSON that can be parsed', () => {
    const shown = pages.flatMap((page) =>
      parseMarkdown(readFileSync(join(root, page), 'utf8')).blocks.filter(({ info }) => info === 'json'),
    )
    expect(shown.length).toBeGreaterThan(4)
    for (const { code } of shown) expect(() => JSON.parse(code), code).not.toThrow()
  })

  it.each(blocks)('run what they claim to run: $title', async ({ page, block }) => {
    const printed = await runBlock(block, join(root, page))
    if (block.output !== undefined) expect(printed).toBe(block.output)
  })
})

describe('a broken link', () => {
  it.each([
    ['[a](missing.md)', 'missing.md does not exist'],
    ['[a](other.md#nothing)', 'other.md has no heading "nothing"'],
    ['[a](#nothing)', 'page.md has no heading "nothing"'],
    ['![a](missing.png)', 'missing.png does not exist'],
    ['[a](/other.md)', 'is absolute'],
    ['[a](../../outside.md)', 'leaves the repository'],
    ['[a](folder#x)', 'a folder has no anchors'],
    ['[a](code.ts#x)', 'code.ts has no anchors'],
  ])('%s is found', (text, problem) => {
    expect(brokenIn(text).join()).toContain(problem)
  })

  it.each([
    '[a](other.md)',
    '[a](other.md#two-words-and-code)',
    '[a](other.md#same-1)',
    '[a](other.md#by-hand)',
    '[a](folder)',
    '[a](code.ts#L3)',
    '[a](https://example.com/missing.md)',
    '`[a](missing.md)`',
    '```md\n[a](missing.md)\n```',
  ])('%j is none', (text) => {
    expect(brokenIn(text)).toEqual([])
  })

  function brokenIn(text: string): string[] {
    const dir = mkdtempSync(join(tmpdir(), 'links-'))
    try {
      mkdirSync(join(dir, 'folder'))
      writeFileSync(join(dir, 'code.ts'), '')
      writeFileSync(
        join(dir, 'other.md'),
        '# Title\n\n## Two words, and `code`\n\n## Same\n\n## Same\n\n<a id="by-hand"></a>\n',
      )
      writeFileSync(join(dir, 'page.md'), text)
      return findBrokenLinks(dir, ['page.md'])
    } finally {
      rmSync(dir, { recursive: true })
    }
  }
})

describe('a block that claims to run', () => {
  const blocksOf = (text: string) => findRunnableBlocks(parseMarkdown(text))

  it('is found with what it prints', () => {
    expect(blocksOf('```sh run\necho hi\n```\n\nprints\n\n```text output\nhi\n```\n\n```sh\nrm -rf x\n```\n')).toEqual([
      { language: 'sh', code: 'echo hi\n', line: 1, output: 'hi\n' },
    ])
  })

  it('fails when it fails', async () => {
    const [sh] = blocksOf('```sh run\nfalse\n```\n')
    const [ts] = blocksOf("```ts run\nthrow new Error('broken')\n```\n")
    const [other] = blocksOf('```perl run\n```\n')
    for (const block of [sh, ts, other]) {
      if (!block) throw new Error('no block')
      await expect(runBlock(block, join(root, 'README.md'))).rejects.toThrow()
    }
  })
})
