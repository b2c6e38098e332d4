// Build every package: types by `tsc -b` (incremental), JavaScript by tsup and pages by vite where sources are newer than
// the last build.
import { spawnSync } from 'node:child_process'
import { existsSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'tsup'
import { build as buildPage } from 'vite'
import { listPackages, newestMtime, root } from './packages.mjs'

const SOURCE = '@agent-terminals/source'

function entriesOf(dir, manifest) {
  const sources = Object.values(manifest.exports)
    .map((target) => target[SOURCE])
    .filter(Boolean)
  return Object.fromEntries(sources.map((file) => [file.replace('./src/', '').replace(/\.ts$/, ''), join(dir, file)]))
}

/** Runs a build unless the stamp says that nothing has changed since. */
async function buildWhenNewer(stamp, newest, run) {
  if (existsSync(stamp) && statSync(stamp).mtimeMs >= newest) return
  await run()
  writeFileSync(stamp, '')
  utimesSync(stamp, newest / 1000 + 1, newest / 1000 + 1)
}

function newestOf(dir) {
  return Math.max(newestMtime(join(dir, 'src')), statSync(join(dir, 'package.json')).mtimeMs)
}

async function buildJavaScript({ dir, folder, manifest }) {
  await build({
    config: false,
    silent: true,
    entry: entriesOf(dir, manifest),
    external: [/^[^./]/],
    format: 'esm',
    target: 'node20',
    platform: 'node',
    outDir: join(dir, 'dist'),
    splitting: true,
    sourcemap: true,
    dts: false,
  })
  console.log(`built ${folder}`)
}

async function buildPages({ folder }, configFile) {
  await buildPage({ configFile, logLevel: 'warn' })
  console.log(`built the page of ${folder}`)
}

const packages = listPackages()
for (const entry of packages) {
  await buildWhenNewer(join(entry.dir, 'dist/.built'), newestOf(entry.dir), () => buildJavaScript(entry))
}
// A page holds the sources of the packages it uses.
const newestOfAll = Math.max(...packages.map(({ dir }) => newestOf(dir)))
for (const entry of packages) {
  const configFile = join(entry.dir, 'vite.config.mjs')
  if (!existsSync(configFile)) continue
  const newest = Math.max(newestOfAll, statSync(configFile).mtimeMs)
  await buildWhenNewer(join(entry.dir, 'dist/.page-built'), newest, () => buildPages(entry, configFile))
}
const types = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-b', root], {
  stdio: 'inherit',
})
process.exitCode = types.status ?? 1
