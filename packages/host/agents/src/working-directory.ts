import { stat } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import { AgentError } from './errors.js'

/**
 * The directory in which a session works, normalised but with its symlinks kept.
 * @throws AgentError `CWD_INVALID`
 */
export async function resolveWorkingDirectory(cwd: string): Promise<string> {
  const refuse = (problem: string, cause?: unknown) =>
    new AgentError(
      'CWD_INVALID',
      `The working directory ${JSON.stringify(cwd)} ${problem}. Give the absolute path of an existing directory.`,
      { cause },
    )
  if (typeof cwd !== 'string' || !isAbsolute(cwd)) throw refuse('is not an absolute path')
  if (cwd.includes('\0')) throw refuse('contains a NUL character')
  const found = await stat(cwd).catch((error: unknown) => {
    throw refuse(isMissing(error) ? 'does not exist' : 'cannot be read', error)
  })
  if (!found.isDirectory()) throw refuse('is not a directory')
  return resolve(cwd)
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}
