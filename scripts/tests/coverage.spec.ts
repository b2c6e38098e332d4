import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readBranches } from '../coverage/branches.mjs'
import { compare, findUnreadRows, parsePage } from '../coverage/page.mjs'
import { root } from '../packages.mjs'

describe('docs/coverage.md', () => {
  const markdown = readFileSync(join(root, 'docs/coverage.md'), 'utf8')
  const explained = parsePage(markdown)

  it('is read whole', () => {
    expect(findUnreadRows(markdown)).toEqual([])
    expect(explained.length).toBeGreaterThan(50)
  })

  // Whether each branch is still there, and still not run, is known where coverage has been counted: `npm run coverage`.
  it('speaks of files that exist', () => {
    expect(explained.map(({ path }) => path).filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  it('explains each branch once', () => {
    const keys = explained.map(({ path, text }) => `${path}: ${text}`)
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
  })
})

describe('branches', () => {
  const position = (line: number, column: number | null) => ({ line, column })

  it('read as their condition and the way that is not gone', () => {
    const directory = mkdtempSync(join(tmpdir(), 'branches-'))
    const path = join(directory, 'source.ts')
    writeFileSync(path, 'if (a ===\n  b) go()\nconst c = d ? e : f\nconst g = h ?? i')
    const branchMap = {
      0: {
        type: 'if',
        loc: { start: position(1, 0), end: position(2, null) },
        locations: [
          { start: position(2, 5), end: position(2, null) },
          { start: {}, end: {} },
        ],
      },
      1: {
        type: 'cond-expr',
        loc: { start: position(3, 10), end: position(3, null) },
        locations: [
          { start: position(3, 14), end: position(3, 15) },
          { start: position(3, 18), end: position(3, null) },
        ],
      },
      2: {
        type: 'binary-expr',
        loc: { start: position(4, 10), end: position(4, null) },
        locations: [
          { start: position(4, 10), end: position(4, 11) },
          { start: position(4, 15), end: position(4, null) },
        ],
      },
    }
    const coverage = { x: { path, branchMap, b: { 0: [1, 0], 1: [0, 1], 2: [3, 0] }, statementMap: {}, s: {} } }
    try {
      const [file] = readBranches(coverage, directory)
      expect(file?.branches).toEqual({ all: 6, covered: 3 })
      expect([...(file?.texts ?? [])].filter(([, isCovered]) => !isCovered).map(([text]) => text)).toEqual([
        'if (a === b) else',
        'd ? then',
        'i',
      ])
    } finally {
      rmSync(directory, { recursive: true })
    }
  })

  it('are explained, covered after all, or gone', () => {
    const markdown = [
      '### `a.ts`',
      '| Branch | Why |',
      '| --- | --- |',
      '| `x \\|\\| y` | Impossible: nothing does it. |',
      '| `z` | Sometimes: hangs on timing. |',
      '| `old` | Elsewhere: macOS. |',
      '| `run` | Elsewhere: macOS. |',
    ].join('\n')
    const texts = new Map([
      ['x || y', false],
      ['z', true],
      ['run', true],
      ['new', false],
    ])
    const { unexplained, covered, gone } = compare([{ path: 'a.ts', texts }], parsePage(markdown))
    expect(unexplained).toEqual([{ path: 'a.ts', text: 'new' }])
    expect(covered.map(({ text }) => text)).toEqual(['run'])
    expect(gone.map(({ text }) => text)).toEqual(['old'])
  })
})
