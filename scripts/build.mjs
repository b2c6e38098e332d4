// Build every package: types by `tsc -b` (incremental), JavaScript by tsup where sources are newer than the last build.
import { spawnSync } from 'node:child_process'
import { existsSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'tsup'
import { listPackages, newestMtime, root } from './packages.mjs'

const SOURCE = '@agent-terminals/source'

function entriesOf(dir, manifest) {
  const sources = Object.values(manifest.exports)
    .map((target) => target[SOURCE])
    .filter(Boolean)
  return Object.fromEntries(sources.map((file) => [file.replace('./src/', '').replace(/\.ts$/, ''), join(dir, file)]))
}

async function buildJavaScript({ dir, folder, manifest }) {
  const stamp = join(dir, 'dist', '.built')
  const newest = Math.max(newestMtime(join(dir, 'src')), statSync(join(dir, 'package.json')).mtimeMs)
  if (existsSync(stamp) && statSync(stamp).mtimeMs >= newest) return false
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
  writeFileSync(stamp, '')
  utimesSync(stamp, newest / 1000 + 1, newest / 1000 + 1)
  console.log(`built ${folder}`)
  return true
}

for (const entry of listPackages()) await buildJavaScript(entry)
const types = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-b', root], {
  stdio: 'inherit',
})
process.exitCode = types.status ?? 1
