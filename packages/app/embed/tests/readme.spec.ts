import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { EMBED_ERRORS } from '../src/errors.js'
import { Options } from '../src/options.js'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

it('lists every option', () => {
  const rows =
    readme
      .split('## Options')[1]
      ?.split('\n## ')[0]
      ?.match(/^\| `.*?\|/gm) ?? []
  const listed = rows.flatMap((row) => [...row.matchAll(/`(\w+)`/g)].map(([, name]) => name))
  expect(listed.sort()).toEqual(Object.keys(Options.shape).sort())
})

it('lists every member of the plain API', async () => {
  const source = readFileSync(new URL('../src/types.ts', import.meta.url), 'utf8')
  const body = source.split('export interface Terminals')[1] ?? ''
  const members = [...body.matchAll(/^ {2}(?:readonly )?(\w+)[(<:]/gm)].map(([, name]) => name)
  const rows =
    readme
      .split('## API')[1]
      ?.split('\n## ')[0]
      ?.match(/^\| `.*?\|/gm) ?? []
  const listed = rows.flatMap((row) => [...row.matchAll(/`(\w+)/g)].map(([, name]) => name))
  expect(listed.sort()).toEqual(members.sort())
})

it('names every code of a failed start', () => {
  for (const code of Object.keys(EMBED_ERRORS)) expect(readme).toContain(`\`${code}\``)
})
