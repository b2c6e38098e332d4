import { execFile, execFileSync } from 'node:child_process'
import { PS_COLUMNS } from './parse-ps.js'

/** Runs `ps` with arguments and gives what it printed; `''` when nothing matched. */
export type PsRunner = (args: readonly string[]) => Promise<string>

const MAX_BYTES = 64 * 1024 * 1024

export const systemPs: PsRunner = (args) =>
  new Promise((resolve) => {
    // `ps` exits with 1 when no process matches; what it printed is the answer either way.
    execFile('ps', args, { env: resolveEnvironment(), maxBuffer: MAX_BYTES }, (_error, stdout) => resolve(stdout))
  })

/** The rows of `parsePs` at once, for moments in which nothing can be awaited. `''` when nothing matches. */
export function runPsNow(selection: readonly string[]): string {
  try {
    return execFileSync('ps', ['-o', PS_COLUMNS, ...selection], {
      encoding: 'utf8',
      env: resolveEnvironment(),
      maxBuffer: MAX_BYTES,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch {
    return ''
  }
}

function resolveEnvironment(): Record<string, string> {
  return { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' }
}
