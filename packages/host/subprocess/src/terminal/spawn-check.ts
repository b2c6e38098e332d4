/** What must hold before a process is started, so that a failure is an error here and not a line on the child's terminal. */
import { constants } from 'node:fs'
import { access, open, stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import type { SpawnTerminalSpec, TerminalSize } from '../contract.js'
import { SubprocessError } from '../errors.js'
import { requireExecutable } from '../executable.js'

/** Largest size a terminal can have: struct winsize holds unsigned shorts, ioctl_tty(2). */
const MAX_CELLS = 65_535

/** @throws RangeError naming the dimension. */
export function requireSize(size: TerminalSize): void {
  for (const name of ['columns', 'rows'] as const) {
    const value = size[name]
    if (Number.isInteger(value) && value >= 1 && value <= MAX_CELLS) continue
    throw new RangeError(`${name} must be a whole number from 1 to ${MAX_CELLS}, got ${value}`)
  }
}

/** @throws SubprocessError `CWD_MISSING` or `CWD_NOT_A_DIRECTORY` naming the path. */
export async function requireDirectory(path: string): Promise<void> {
  if (!isAbsolute(path)) {
    throw new SubprocessError('CWD_MISSING', `The working directory must be an absolute path, got ${path || "''"}.`)
  }
  const stats = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    throw new SubprocessError('CWD_MISSING', `The working directory ${path} cannot be used (${cause.code}).`, { cause })
  })
  if (!stats.isDirectory()) {
    throw new SubprocessError('CWD_NOT_A_DIRECTORY', `The working directory ${path} is not a directory.`)
  }
  await access(path, constants.X_OK).catch((cause: NodeJS.ErrnoException) => {
    throw new SubprocessError('CWD_MISSING', `The working directory ${path} cannot be entered (${cause.code}).`, {
      cause,
    })
  })
}

/** Longest first line that Linux looks at, execve(2). */
const SHEBANG_BYTES = 256

/** Interpreter named by a script's first line. */
async function readInterpreter(path: string): Promise<string | undefined> {
  const file = await open(path).catch(() => undefined)
  if (!file) return undefined
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SHEBANG_BYTES), 0, SHEBANG_BYTES, 0)
    return /^#![ \t]*([^ \t\n]+)/.exec(buffer.toString('latin1', 0, bytesRead))?.[1]
  } finally {
    await file.close()
  }
}

function requireNoNul(spec: SpawnTerminalSpec): void {
  const texts = [...spec.argv, spec.cwd, ...Object.entries(spec.env ?? {}).flat()]
  if (texts.some((text) => text?.includes('\0'))) {
    throw new TypeError('Arguments, directory and environment of a terminal must not hold NUL characters')
  }
}

/** @throws SubprocessError, RangeError or TypeError naming what is wrong with the request. */
export async function checkSpec(spec: SpawnTerminalSpec): Promise<void> {
  requireSize(spec.size)
  requireNoNul(spec)
  await requireDirectory(spec.cwd)
  const [file] = spec.argv
  if (!isAbsolute(file)) {
    throw new SubprocessError(
      'EXECUTABLE_MISSING',
      `The program to start must be an absolute path, got ${file || "''"}. Use resolveExecutable first.`,
    )
  }
  await requireExecutable(file, 'The program to start')
  const interpreter = await readInterpreter(file)
  if (interpreter) await requireExecutable(interpreter, `The interpreter of ${file}`)
}
