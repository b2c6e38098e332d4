/** Every case of §19 has a test that bears its id, and docs/ahp-conformance.md lists them. `UPDATE_TABLE=1` writes it anew. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { SECTIONS } from './case-ids.js'

const here = fileURLToPath(new URL('.', import.meta.url))
const table = fileURLToPath(new URL('../../../../../docs/ahp-conformance.md', import.meta.url))
const TITLE = /\bit(?:\.each\([\s\S]*?\]\s*,?\s*\))?\(\s*(['"])((?:[A-Z]{2}-\d+[a-z]?)[^\n]*?)\1/g

/** Where a title takes a value of the row it is made for. */
const PLACEHOLDER = /%[jsdio]|\$\w+/g

interface Found {
  readonly id: string
  readonly title: string
  readonly file: string
}

function findCases(): Found[] {
  return readdirSync(here)
    .filter((file) => file.endsWith('.spec.ts') && file !== 'table.spec.ts')
    .flatMap((file) =>
      [...readFileSync(`${here}/${file}`, 'utf8').matchAll(TITLE)].map(([, , title = '']) => {
        const [id = ''] = title.split(' ')
        return { id, title: title.slice(id.length + 1).replaceAll(PLACEHOLDER, '…'), file }
      }),
    )
}

function renderTable(found: readonly Found[]): string {
  const sections = Object.entries(SECTIONS).map(([name, ids]) => {
    const rows = ids.flatMap((id) =>
      found
        .filter((each) => each.id === id)
        .map(({ title, file }) => [
          id,
          title.replaceAll('|', '\\|'),
          `[${file}](../packages/bridge/ahp/tests/conformance/${file})`,
        ]),
    )
    return `## ${name}\n\n${renderRows([['Case', 'Test', 'File'], ...rows])}`
  })
  return `# AHP conformance\n\nGenerated from the titles of the tests by \`table.spec.ts\`, which fails when a case has none. Not edited by hand.\n\n${sections.join('\n')}`
}

/** A table as the formatter would have it: columns of one width. */
function renderRows([header = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => row[column]?.length ?? 0)))
  const line = (cells: readonly string[], fill: string) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0, fill)).join(' | ')} |\n`
  const rule = line(
    header.map(() => ''),
    '-',
  )
  return [line(header, ' '), rule, ...rows.map((row) => line(row, ' '))].join('')
}

describe('the cases of §19', () => {
  const found = findCases()
  const known = Object.values(SECTIONS).flat()

  it('each have a test with their id', () => {
    expect(known.filter((id) => !found.some((each) => each.id === id))).toEqual([])
  })

  it('are the only ids that tests bear', () => {
    expect(found.filter(({ id }) => !known.includes(id))).toEqual([])
  })

  it('are listed in docs/ahp-conformance.md', () => {
    const rendered = renderTable(found)
    if (process.env.UPDATE_TABLE === '1') writeFileSync(table, rendered)
    expect(readFileSync(table, 'utf8')).toBe(rendered)
  })
})
