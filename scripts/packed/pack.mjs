// Pack every public package as it would be published, and look into the manifests of the tarballs.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listPackages, root } from '../packages.mjs'

const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Ranges that only this workspace understands. */
const WORKSPACE_RANGE = /^(?:workspace|catalog|link|file):/

function pack(dir, destination) {
  const output = execFileSync('npx', ['--yes', packageManager, 'pack', '--json', '--pack-destination', destination], {
    cwd: dir,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return JSON.parse(output).filename
}

function readManifest(tarball) {
  return JSON.parse(execFileSync('tar', ['-xOzf', tarball, 'package/package.json'], { encoding: 'utf8' }))
}

function listFiles(tarball) {
  return execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).trim().split('\n')
}

/** Every file that `exports` and `bin` name must be in the tarball. */
function findMissingFiles({ exports = {}, bin = {} }, files) {
  const named = [...Object.values(exports).flatMap((target) => Object.values(target)), ...Object.values(bin)]
  const paths = named.filter((path) => typeof path === 'string' && path.length > 1)
  return paths.map((path) => `package/${path.replace(/^\.\//, '')}`).filter((path) => !files.includes(path))
}

function findProblems(manifest, files) {
  const problems = findMissingFiles(manifest, files).map((path) => `${path} is not in the tarball`)
  if (!files.some((path) => /^package\/LICEN[CS]E/i.test(path))) problems.push('no licence in the tarball')
  for (const field of ['dependencies', 'peerDependencies', 'optionalDependencies']) {
    for (const [name, range] of Object.entries(manifest[field] ?? {})) {
      if (WORKSPACE_RANGE.test(range)) problems.push(`${field}.${name} is still ${range}`)
    }
  }
  return problems
}

/** @returns {{ name: string, tarball: string, manifest: any, problems: string[] }[]} one per public package. */
export function packAll(destination) {
  return listPackages()
    .filter(({ manifest }) => !manifest.private)
    .map(({ dir }) => {
      const tarball = pack(dir, destination)
      const manifest = readManifest(tarball)
      return { name: manifest.name, tarball, manifest, problems: findProblems(manifest, listFiles(tarball)) }
    })
}
