// The workspace's own packages, read from disk so that no list is kept by hand.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** @returns {{ dir: string, folder: string, manifest: any }[]} every package below `packages/`, sorted by folder. */
export function listPackages() {
  const base = join(root, 'packages')
  return readdirSync(base)
    .flatMap((group) => readdirSync(join(base, group)).map((name) => `${group}/${name}`))
    .filter((folder) => existsSync(join(base, folder, 'package.json')))
    .sort()
    .map((folder) => {
      const dir = join(base, folder)
      return { dir, folder, manifest: JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) }
    })
}

/** Newest modification time below a folder, in milliseconds; 0 when there is nothing. */
export function newestMtime(dir) {
  if (!existsSync(dir)) return 0
  let newest = 0
  for (const entry of readdirSync(dir, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) newest = Math.max(newest, statSync(join(entry.parentPath ?? entry.path, entry.name)).mtimeMs)
  }
  return newest
}
