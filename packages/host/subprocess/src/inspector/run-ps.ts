import { execFile } from 'node:child_process'

/** Runs `ps` with arguments and gives what it printed; `''` when nothing matched. */
export type PsRunner = (args: readonly string[]) => Promise<string>

export const systemPs: PsRunner = (args) =>
  new Promise((resolve) => {
    const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' }
    // `ps` exits with 1 when no process matches; what it printed is the answer either way.
    execFile('ps', args, { env, maxBuffer: 64 * 1024 * 1024 }, (_error, stdout) => resolve(stdout))
  })
