/** Whether a directory may become the narrower workspace of a session. */
import { realpathSync, statSync } from 'node:fs'
import { isAbsolute, relative, sep } from 'node:path'

/** Whether a directory is the other one or lies in it. Both absolute, symlinks resolved. */
function isWithin(directory: string, outer: string): boolean {
  const path = relative(outer, directory)
  return path === '' || (path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path))
}

/** @returns what is wrong with the directory, or nothing. Only a narrower workspace is right: nobody gets a wider one by a log entry. */
export function findWorkspaceProblem(workspaceRoot: unknown, current: string): string | undefined {
  if (typeof workspaceRoot !== 'string' || !isAbsolute(workspaceRoot)) return 'it is not an absolute path.'
  let real: string
  try {
    real = realpathSync(workspaceRoot)
  } catch {
    return 'it does not exist.'
  }
  if (!statSync(real).isDirectory()) return 'it is not a directory.'
  if (real !== workspaceRoot) return `it is a way to ${real}; name that.`
  return isWithin(real, current) ? undefined : `it is not inside ${current}. A session can only be narrowed.`
}
