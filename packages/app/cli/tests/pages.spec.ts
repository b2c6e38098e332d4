/** Compositions shown in pages name plugins that exist, with settings that they accept. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { load } from 'js-yaml'
import { expect, it } from 'vitest'
import type { z } from 'zod'
import { listPages, parseMarkdown } from '../../../../scripts/docs/markdown.mjs'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

interface Entry {
  readonly name: string
  readonly config?: unknown
}

const entries = listPages(root).flatMap((page) =>
  parseMarkdown(readFileSync(join(root, page), 'utf8'))
    .blocks.filter(({ info }) => info === 'yaml')
    .flatMap(({ code, line }) => {
      const parsed = load(code)
      const list = Array.isArray(parsed) ? (parsed as readonly Entry[]) : []
      return list
        .filter(({ name }) => name.startsWith('@agent-terminals/'))
        .map((entry) => ({ where: `${page}:${line}`, ...entry }))
    }),
)

it('pages show compositions', () => {
  expect(entries.length).toBeGreaterThan(20)
})

it.each(entries)('$where: $name', async ({ name, config }) => {
  const plugin: { readonly apply: unknown; readonly Config?: z.ZodType } = await import(/* @vite-ignore */ name)
  expect(plugin.apply).toBeTypeOf('function')
  expect(plugin.Config?.safeParse(config ?? {}).error).toBeUndefined()
})
