// Pack every public package as it would be published, and look into the manifests of the tarballs.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { listPackages, root } from '../packages.mjs'

const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Ranges that only this workspace understands. */
const WORKSPACE_RANGE = /^(?:workspace|catalog|link|file):/

function pack(destination) {
  const args = ['--yes', packageManager, '--recursive', '--filter', './packages/**', 'pack', '--json']
  const output = execFileSync('npx', [...args, '--pack-destination', destination], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return JSON.parse(output).map(({ filename }) => resolve(destination, filename))
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

export function findProblems(manifest, files) {
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
  const packed = pack(destination).map((tarball) => ({ tarball, manifest: readManifest(tarball) }))
  const published = packed.filter(({ manifest }) => !manifest.private)
  const expected = listPackages().filter(({ manifest }) => !manifest.private)
  const missing = expected.filter(({ manifest }) => !published.some((each) => each.manifest.name === manifest.name))
  if (missing.length > 0) throw new Error(`not packed: ${missing.map(({ folder }) => folder).join(', ')}`)
  return published.map(({ tarball, manifest }) => ({
    name: manifest.name,
    tarball,
    manifest,
    problems: findProblems(manifest, listFiles(tarball)),
  }))
}
