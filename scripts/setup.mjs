// Everything a fresh clone needs before anything can run: the pinned pnpm, the frozen lockfile, the build.
// Does nothing, and prints nothing, when nothing has changed since the last run.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const { packageManager, engines } = JSON.parse(readFileSync(at('package.json'), 'utf8'))

function run(command, args) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, CI: 'true' },
  })
  if (error) {
    console.error(`setup: could not run ${command}: ${error.message}`)
    process.exit(1)
  }
  if (status !== 0) process.exit(status ?? 1)
}

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `setup: Node ${engines.node} is needed, this is ${process.versions.node}. Install a newer Node and run the command again.`,
  )
  process.exit(1)
}
if (process.platform === 'win32') {
  console.error('setup: Windows is not supported. Use Linux, macOS or WSL 2.')
  process.exit(1)
}

const installed = at('node_modules/.modules.yaml')
const isFresh = existsSync(installed) && statSync(installed).mtimeMs >= statSync(at('pnpm-lock.yaml')).mtimeMs
if (!isFresh) {
  console.log(`setup: installing with ${packageManager}`)
  run('npx', ['--yes', packageManager, 'install', '--frozen-lockfile', '--loglevel=error'])
}
run(process.execPath, [at('scripts/build.mjs')])
