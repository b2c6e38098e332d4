/** The directory a client asks for: where it is, and whether terminals may start there. Sheet §7.1. */
import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { AhpError } from '../protocol/index.js'

export interface DirectoryPolicy {
  readonly defaultDirectory: string
  /** Empty: anywhere. */
  readonly allowedRoots: readonly string[]
}

/**
 * @param uri - `file:` URI, or nothing for the default.
 * @throws AhpError `InvalidParams`, `NotFound` or `PermissionDenied`.
 */
export async function resolveDirectory(uri: string | undefined, policy: DirectoryPolicy): Promise<string> {
  if (uri === undefined) return resolve(policy.defaultDirectory)
  const path = parseFileUri(uri)
  const roots = policy.allowedRoots.map((root) => resolve(root))
  assertWithin(path, roots)
  const real = await realpath(path).catch(() => undefined)
  if (real === undefined) throw AhpError.of('NotFound', 'cwd does not exist')
  assertWithin(real, await Promise.all(roots.map((root) => realpath(root).catch(() => root))))
  if (!(await stat(real)).isDirectory()) throw AhpError.of('InvalidParams', 'cwd is not a directory')
  return path
}

function parseFileUri(uri: string): string {
  try {
    if (uri.startsWith('file:')) return fileURLToPath(new URL(uri))
  } catch {
    // Answered below, in the same words as any other URI that names no directory here.
  }
  throw AhpError.of('InvalidParams', 'cwd must be a file: URI on this machine, such as file:///home/me')
}

function assertWithin(path: string, roots: readonly string[]): void {
  const isWithin = (root: string) => {
    const way = relative(root, path)
    return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
  }
  if (roots.length === 0 || roots.some(isWithin)) return
  throw AhpError.of('PermissionDenied', 'terminals may not be started in this directory')
}

export function toFileUri(path: string): string {
  return pathToFileURL(path).href
}
