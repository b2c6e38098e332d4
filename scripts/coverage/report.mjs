// `npm run coverage` ends here: lines and branches per package, and whether docs/coverage.md explains every branch that was not run.
// `--no-fail` only reports.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../packages.mjs'
import { readBranches } from './branches.mjs'
import { compare, parsePage } from './page.mjs'

const data = join(root, 'coverage/coverage-final.json')
if (!existsSync(data)) {
  console.error('coverage: there is no coverage/coverage-final.json. Run: npm run coverage')
  process.exit(2)
}
const files = readBranches(JSON.parse(readFileSync(data, 'utf8')), root)
const explained = parsePage(readFileSync(join(root, 'docs/coverage.md'), 'utf8'))

const packageOf = (path) => path.split('/').slice(1, 3).join('/')
const share = ({ all, covered }) => `${((100 * covered) / Math.max(1, all)).toFixed(1)} %`.padStart(8)
const sum = (list, key) => ({
  all: list.reduce((total, each) => total + each[key].all, 0),
  covered: list.reduce((total, each) => total + each[key].covered, 0),
})
const names = [...new Set(files.map(({ path }) => packageOf(path)))]
console.log(`\n${'coverage'.padEnd(24)}${'lines'.padStart(8)}  ${'branches'.padStart(8)}  not run`)
for (const name of [...names, 'all']) {
  const own = files.filter(({ path }) => name === 'all' || packageOf(path) === name)
  const branches = sum(own, 'branches')
  console.log(
    `${name.padEnd(24)}${share(sum(own, 'lines'))}  ${share(branches)}  ${branches.all - branches.covered} of ${branches.all}`,
  )
}

const { unexplained, covered, gone } = compare(files, explained)
const tell = (title, rows) => {
  if (rows.length === 0) return
  console.log(`\n${title}`)
  for (const { path, text } of rows) console.log(`  ${path}: ${text}`)
}
tell('not run and not explained in docs/coverage.md: test them, or say why not:', unexplained)
tell('explained in docs/coverage.md, but run this time: delete the rows, or begin them with "Sometimes":', covered)
tell('explained in docs/coverage.md, but no longer in the source: delete the rows:', gone)
// Being run once more than expected breaks nothing.
const isFine = unexplained.length + gone.length === 0
if (isFine) console.log('every branch that was not run is explained in docs/coverage.md')
process.exitCode = isFine || process.argv.includes('--no-fail') ? 0 : 1
