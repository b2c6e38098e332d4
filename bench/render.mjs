// `node bench/render.mjs FILE`: the JSON of a run of the benchmarks as the tables of docs/performance.md.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const WORDS = new Map([
  [true, 'met'],
  [false, '**missed**'],
  [undefined, 'seen'],
])

const number = (value) => (Math.abs(value) >= 100 || Number.isInteger(value) ? value.toFixed(0) : value.toFixed(2))
const measure = (value, unit) => (value === undefined ? '' : `${number(value)} ${unit}`.trim())

function renderRow({ case: title, ours, floor, unit = '', ratio, target, pass }) {
  const cells = [WORDS.get(pass), title, measure(ours, unit), measure(floor, unit), measure(ratio, '×'), target]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

/** `2026-11-29 22:24 UTC`. */
const minute = (date) => `${date.slice(0, 10)} ${date.slice(11, 16)} UTC`

/** @returns Markdown: the machine, then one section per benchmark. */
export function renderResults({ machine, quick, results }) {
  const { cpu, memoryGiB, platform, node } = machine
  const sections = results.map(({ name, date, load, rows }) =>
    [
      `## ${name[0].toUpperCase()}${name.slice(1)}`,
      `${minute(date)}, load ${load}.`,
      [
        '| | Case | Ours | Floor | Ratio | Target |',
        '| --- | --- | --- | --- | --- | --- |',
        ...rows.map(renderRow),
      ].join('\n'),
    ].join('\n\n'),
  )
  const how = quick ? ' A quick run: not for comparison.' : ''
  return `${[`${cpu} (${memoryGiB} GiB), ${platform}, Node ${node.slice(1)}.${how}`, ...sections].join('\n\n')}\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [file] = process.argv.slice(2)
  if (file === undefined) {
    console.error('render: give the file that `npm run bench -- --json FILE` has written')
    process.exit(2)
  }
  process.stdout.write(renderResults(JSON.parse(readFileSync(file, 'utf8'))))
}
