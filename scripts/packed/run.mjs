// `pnpm packed`: packs every public package, installs the tarballs with npm into an empty project outside the repository, and
// uses them on each supported Node. Takes minutes and needs the npm registry, so it is not part of `npm test`.
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../packages.mjs'
import { checkTypes } from './consumer.mjs'
import { packAll } from './pack.mjs'
import { createProject, installNode, NODE_RANGES, run } from './project.mjs'

const { values } = parseArgs({
  options: {
    node: { type: 'string', default: Object.keys(NODE_RANGES).join(',') },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const lines = values.node.split(',')
if (values.help || lines.some((line) => !(line in NODE_RANGES))) {
  console.log(
    'node scripts/packed/run.mjs [--node 20,22,24] [--keep]\nThe packages must have been built: npm run build.',
  )
  process.exit(values.help ? 0 : 2)
}

let failures = 0
function report(what, problem) {
  if (problem !== undefined) failures++
  console.log(`${problem === undefined ? 'ok  ' : 'FAIL'}  ${what}`)
  if (problem) console.log(problem.replace(/^/gm, '      '))
}

/** @returns nothing when the run ended well and printed what it must, else what it printed. */
function problemOf({ status, output }, expected = /(?:)/) {
  return status === 0 && expected.test(output) ? undefined : `exit ${status}\n${output.trim().slice(-4_000)}`
}

function checkShape({ name, tarball, problems }) {
  const attw = join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js')
  const args = [attw, '--profile', 'esm-only', '--no-color', '--format', 'ascii', tarball]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  report(`${name}: manifest, files`, problems.length === 0 ? undefined : problems.join('\n'))
  report(`${name}: types of every entry (attw, ESM only)`, status === 0 ? undefined : `${stdout}${stderr}`)
}

function checkNode(line, project) {
  const node = installNode(join(base, `node-${line}`), line)
  const version = run(node, project, ['--version']).output.trim()
  const check = (what, args, expected) =>
    report(`Node ${version}: ${what}`, problemOf(run(node, project, args), expected))
  const bin = join('node_modules', '.bin', 'agent-terminals')
  const own = JSON.parse(readFileSync(join(root, 'packages/app/cli/package.json'), 'utf8')).version
  check('agent-terminals --version', [bin, '--version'], new RegExp(`^${own.replaceAll('.', '\\.')}$`, 'm'))
  check('agent-terminals demo', [bin, 'demo'], /process table clean/)
  check('the embedding example', ['embedding.js'], /^the answer is 42$/m)
  check('createTerminals', ['plain.js'], /^42$/m)
  check('an MCP client of agent-terminals mcp', ['mcp-client.js'], /^42$/m)
}

const base = mkdtempSync(join(tmpdir(), 'packed-'))
try {
  const tarballs = join(base, 'tarballs')
  mkdirSync(tarballs)
  const packed = packAll(tarballs)
  for (const each of packed) checkShape(each)

  const fromOwn = (name) =>
    `${name}@${JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies[name]}`
  const embed = JSON.parse(readFileSync(join(root, 'packages/app/embed/package.json'), 'utf8'))
  const project = createProject(
    join(base, 'project'),
    packed.map(({ tarball }) => tarball),
    [fromOwn('@types/node'), `ai@${embed.devDependencies.ai}`],
  )
  report('npm installs every tarball into an empty project')
  copyFileSync(join(root, 'examples/embedding/main.js'), join(project, 'embedding.js'))
  for (const file of ['plain.js', 'mcp-client.js'])
    copyFileSync(join(root, 'scripts/packed', file), join(project, file))
  for (const { resolution, errors } of checkTypes(process.execPath, project, packed)) {
    report(`types under moduleResolution ${resolution}`, errors.length === 0 ? undefined : errors.join('\n'))
  }
  for (const line of lines) checkNode(line, project)
} finally {
  if (values.keep) console.log(`kept: ${base}`)
  else rmSync(base, { recursive: true, force: true })
}
console.log(failures === 0 ? 'packed: everything works' : `packed: ${failures} failures`)
process.exitCode = failures === 0 ? 0 : 1
