import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readInterface, readPropertyComments } from '../reference/declarations.js'
import { REFERENCE_PATH, renderReference } from '../reference-docs.js'

it('docs/reference.md equals the code (node scripts/generate-docs.mjs)', () => {
  expect(readFileSync(REFERENCE_PATH, 'utf8')).toBe(renderReference())
})

function withSource<Result>(text: string, read: (path: string) => Result): Result {
  const directory = mkdtempSync(join(tmpdir(), 'declarations-'))
  try {
    const path = join(directory, 'source.ts')
    writeFileSync(path, text)
    return read(path)
  } finally {
    rmSync(directory, { recursive: true })
  }
}

it('a comment belongs to the property below it, by path', () => {
  const source = `
    /** Not of a property. */
    export const Config = z.strictObject({
      /** Of the outer
       *  one. */
      outer: z.strictObject({
        /** Of the inner one. */
        same: z.string(),
      }),
      same: z.string(),
    })`
  expect([...withSource(source, readPropertyComments)]).toEqual([
    ['Config.outer', 'Of the outer one.'],
    ['Config.outer.same', 'Of the inner one.'],
    ['Config.same', ''],
  ])
})

it('members of an interface are read wherever it is declared', () => {
  const source = `
    declare module 'x' {
      interface Map {
        /** Once. */
        'a/b': {
          readonly one: string
          /** Two. */
          readonly two?: readonly number[]
        }
        'c/d': { readonly three: 'x' | 'y' }
      }
    }`
  expect(withSource(source, (path) => readInterface(path, 'Map'))).toEqual([
    { name: 'a/b', type: '{ one: string; two?: number[] }', comment: 'Once.' },
    { name: 'c/d', type: "{ three: 'x' | 'y' }", comment: '' },
  ])
})
