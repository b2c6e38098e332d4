import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { SubprocessError } from './errors.js'

type Verdict = 'executable' | 'missing' | 'not a file' | 'not executable'

async function judgeFile(path: string): Promise<Verdict> {
  const stats = await stat(path).catch(() => undefined)
  if (!stats) return 'missing'
  if (!stats.isFile()) return 'not a file'
  return access(path, constants.X_OK).then(
    () => 'executable',
    () => 'not executable',
  )
}

const COMPLAINTS: Readonly<Record<Exclude<Verdict, 'executable'>, string>> = {
  missing: 'does not exist',
  'not a file': 'is not a file',
  'not executable': 'is not executable (chmod +x)',
}

/** @throws SubprocessError `EXECUTABLE_MISSING` naming the path, what is wrong with it and what it was for. */
export async function requireExecutable(path: string, purpose: string): Promise<void> {
  const verdict = await judgeFile(path)
  if (verdict === 'executable') return
  throw new SubprocessError('EXECUTABLE_MISSING', `${purpose}: ${path} ${COMPLAINTS[verdict]}.`)
}

/**
 * Find an executable as execvp(3) would, but only in absolute directories of `searchPath`, so that the working directory
 * never decides what runs.
 */
export async function resolveExecutable(name: string, searchPath: string): Promise<string> {
  if (isAbsolute(name)) {
    await requireExecutable(name, 'The executable')
    return name
  }
  if (name === '' || name.includes('/')) {
    throw new SubprocessError(
      'EXECUTABLE_MISSING',
      `${JSON.stringify(name)} is neither an absolute path nor a bare name. Give one of the two.`,
    )
  }
  const directories = searchPath.split(':').filter(isAbsolute)
  let almost = ''
  for (const directory of directories) {
    const path = join(directory, name)
    const verdict = await judgeFile(path)
    if (verdict === 'executable') return path
    if (verdict !== 'missing') almost = ` ${path} ${COMPLAINTS[verdict]}.`
  }
  throw new SubprocessError(
    'EXECUTABLE_MISSING',
    `${name} was not found in PATH (${directories.join(':') || 'empty'}).${almost} Install it or give an absolute path.`,
  )
}
