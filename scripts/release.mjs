// `node scripts/release.mjs 0.2.0`: one version for every public package, and a dated section in CHANGELOG.md. CONTRIBUTING.md says
// what comes before and after.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { listPackages, root } from './packages.mjs'

const UNRELEASED = '## Unreleased'

/**
 * @param changelog text of CHANGELOG.md.
 * @returns the same with what was unreleased under the version, and an empty section for what comes.
 */
export function dateChangelog(changelog, version, date) {
  const start = changelog.indexOf(`${UNRELEASED}\n`)
  if (start < 0) throw new Error(`CHANGELOG.md has no section "${UNRELEASED}".`)
  const after = start + UNRELEASED.length
  const next = changelog.indexOf('\n## ', after)
  const entries = changelog.slice(after, next < 0 ? undefined : next).trim()
  if (entries === '') throw new Error(`CHANGELOG.md says nothing under "${UNRELEASED}": write what users will notice.`)
  const rest = next < 0 ? '' : `\n${changelog.slice(next + 1)}`
  return `${changelog.slice(0, after)}\n\n## ${version} (${date})\n\n${entries}\n${rest}`
}

/** @throws when the version is no version, or not above the present one. */
export function checkVersion(version, present) {
  const parse = (text) => /^(\d+)\.(\d+)\.(\d+)$/.exec(text)?.slice(1).map(Number)
  const next = parse(version ?? '')
  const last = parse(present)
  if (!next || !last) throw new Error(`"${version}" is no version: expected MAJOR.MINOR.PATCH.`)
  const index = next.findIndex((number, position) => number !== last[position])
  if (index < 0 || next[index] < last[index]) throw new Error(`${version} is not above ${present}.`)
}

function release(version) {
  const packages = listPackages().filter(({ manifest }) => !manifest.private)
  for (const { manifest } of packages) checkVersion(version, manifest.version)
  const path = join(root, 'CHANGELOG.md')
  const changelog = dateChangelog(readFileSync(path, 'utf8'), version, new Date().toISOString().slice(0, 10))
  for (const { dir } of packages) {
    const file = join(dir, 'package.json')
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace(/^( {2}"version": )"[^"]*"/m, `$1"${version}"`))
  }
  writeFileSync(path, changelog)
  console.log(
    `${packages.length} packages are now ${version}. Next: git commit, pnpm packed, pnpm --recursive publish.`,
  )
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    release(process.argv[2])
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
