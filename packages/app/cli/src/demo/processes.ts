/** The process table as `ps` shows it, on Linux and macOS alike. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

export interface ProcessRow {
  readonly pid: number
  readonly parentPid: number
  readonly state: string
  readonly command: string
}

const run = promisify(execFile)

export function parseProcesses(text: string): readonly ProcessRow[] {
  return text.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line)
    if (!match) return []
    const [, pid, parentPid, state = '', command = ''] = match
    return [{ pid: Number(pid), parentPid: Number(parentPid), state, command }]
  })
}

export async function listProcesses(): Promise<readonly ProcessRow[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=,stat=,command='])
  return parseProcesses(stdout)
}

/** Processes that appeared between two listings and still run. Zombies have no work left, and `ps` itself is not ours. */
export function findNewProcesses(before: readonly ProcessRow[], after: readonly ProcessRow[]): readonly ProcessRow[] {
  const known = new Set(before.map(({ pid }) => pid))
  return after.filter(({ pid, state, command }) => !known.has(pid) && !state.startsWith('Z') && !/^ps\b/.test(command))
}
