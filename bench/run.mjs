// `pnpm bench [NAME …] [--quick] [--json FILE]`: runs the benchmarks beside this file and prints one table.
// A benchmark exports `name`, `describe` (one sentence), `quickLeavesOut` (what a quick run lacks) and `run({ quick })`, which
// resolves to rows: { case, ours, floor, unit, ratio, target, pass, needsRounds? }
// `floor` is the bare minimum measured in the same run; `ratio` is ours / floor; `target` says in words what `pass` means. A row that
// `needsRounds` can only be judged by a full run: a quick one shows it. `node bench/render.mjs FILE` makes tables of the JSON.
import { readdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, release, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import pc from 'picocolors'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
})

/** Files beside the benchmarks that are none. */
const PROGRAMS = new Set(['run.mjs', 'render.mjs'])

async function loadBenchmarks() {
  const files = readdirSync(import.meta.dirname ?? new URL('.', import.meta.url)).filter(
    (file) => file.endsWith('.mjs') && !PROGRAMS.has(file),
  )
  return Promise.all(files.sort().map((file) => import(new URL(file, import.meta.url).href)))
}

function machineFacts() {
  return {
    date: new Date().toISOString(),
    node: process.version,
    platform: `${process.platform} ${release()} ${process.arch}`,
    cpu: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    load: loadavg()
      .map((value) => value.toFixed(2))
      .join(' '),
  }
}

const number = (value) =>
  value === undefined || value === null ? '–' : Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2)

function printTable(rows) {
  const cells = rows.map((row) => [
    row.pass === undefined ? pc.dim('seen') : row.pass ? pc.green('pass') : pc.red('FAIL'),
    row.case,
    `${number(row.ours)} ${row.unit ?? ''}`.trim(),
    row.floor === undefined ? '–' : `${number(row.floor)} ${row.unit ?? ''}`.trim(),
    row.ratio === undefined ? '–' : `${number(row.ratio)} ×`,
    row.target,
  ])
  const header = ['', 'case', 'ours', 'floor', 'ratio', 'target']
  const plain = (text) => text.replace(/\u001b\[[0-9;]*m/g, '')
  const widths = header.map((title, column) => Math.max(title.length, ...cells.map((row) => plain(row[column]).length)))
  for (const row of [header, ...cells]) {
    console.log(
      `  ${row
        .map((cell, column) => cell + ' '.repeat(widths[column] - plain(cell).length))
        .join('  ')
        .trimEnd()}`,
    )
  }
}

const benchmarks = await loadBenchmarks()
if (values.list) {
  for (const { name, describe } of benchmarks) console.log(`${name}: ${describe}`)
  process.exit(0)
}
const unknown = positionals.filter((name) => !benchmarks.some((each) => each.name === name))
if (unknown.length > 0) {
  console.error(
    `bench: no benchmark called ${unknown.join(', ')}; there are ${benchmarks.map(({ name }) => name).join(', ')}`,
  )
  process.exit(2)
}

const facts = machineFacts()
console.log(
  Object.entries(facts)
    .map(([key, value]) => `${key} ${value}`)
    .join(' · '),
)
const results = []
for (const benchmark of benchmarks.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
  console.log(`\n${pc.bold(benchmark.name)}: ${benchmark.describe}`)
  if (values.quick) console.log(`quick leaves out ${benchmark.quickLeavesOut}`)
  const { date, load } = machineFacts()
  const startedAt = performance.now()
  const measured = await benchmark.run({ quick: values.quick })
  const rows = values.quick ? measured.map((row) => (row.needsRounds ? { ...row, pass: undefined } : row)) : measured
  printTable(rows)
  results.push({ name: benchmark.name, date, load, seconds: (performance.now() - startedAt) / 1_000, rows })
}

const judged = results.flatMap(({ name, rows }) =>
  rows.filter(({ pass }) => pass !== undefined).map((row) => ({ name, ...row })),
)
const failed = judged.filter(({ pass }) => !pass).map((row) => `${row.name}: ${row.case}`)
console.log(`\n${results.map(({ name, seconds }) => `${name} ${seconds.toFixed(0)} s`).join(' · ')}`)
console.log(
  failed.length === 0
    ? `all ${judged.length} targets met`
    : `${failed.length} of ${judged.length} target(s) missed:\n  ${failed.join('\n  ')}`,
)
if (values.json)
  writeFileSync(values.json, `${JSON.stringify({ machine: facts, quick: values.quick, results }, null, 2)}\n`)
process.exitCode = failed.length === 0 ? 0 : 1
