import { execFile } from 'node:child_process'
import { readlink, stat } from 'node:fs/promises'

const LSOF_TIMEOUT_MS = 2_000
/** What Linux appends to the link of a directory that was removed, proc_pid_cwd(5). */
const REMOVED = / \(deleted\)$/

async function readLinux(pid: number): Promise<string | undefined> {
  const path = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
  if (path === undefined || !REMOVED.test(path)) return path
  // A living directory may carry such a name as well.
  return stat(path).then(
    () => path,
    () => undefined,
  )
}

function readDarwin(pid: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile('lsof', ['-a', '-p', String(pid), '-d', 'cwd', '-Fn'], { timeout: LSOF_TIMEOUT_MS }, (error, stdout) => {
      resolve(error ? undefined : /^n(\/.*)$/m.exec(stdout)?.[1])
    })
  })
}

/** Working directory of a process; `undefined` when it cannot be read or was removed. */
export async function readWorkingDirectory(pid: number, platform: string): Promise<string | undefined> {
  if (platform === 'linux') return readLinux(pid)
  return platform === 'darwin' ? readDarwin(pid) : undefined
}
