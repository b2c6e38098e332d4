/** What this process started and what is left of it, as `ps` shows it on Linux and macOS alike. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

export interface ProcessRow {
  readonly pid: number
  readonly parentPid: number
  readonly state: string
  /** The command line, followed by the environment where the system shows it. */
  readonly command: string
}

const run = promisify(execFile)

/** Carried by everything that is started on a terminal of ours, daemons included. */
const CLEAN_UP_TAG = 'AGENT_TERMINALS_TAG='

export function parseProcesses(text: string): readonly ProcessRow[] {
  return text.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line)
    if (!match) return []
    const [, pid, parentPid, state = '', command = ''] = match
    return [{ pid: Number(pid), parentPid: Number(parentPid), state, command }]
  })
}

/** All processes, with the environments of the user's own. ps(1) */
export async function listProcesses(): Promise<readonly ProcessRow[]> {
  const withEnvironment = process.platform === 'darwin' ? '-axEww' : 'axeww'
  const { stdout } = await run('ps', [withEnvironment, '-o', 'pid=,ppid=,stat=,command='], {
    maxBuffer: 64 * 1024 * 1024,
  })
  return parseProcesses(stdout)
}

/**
 * Processes that appeared since an earlier listing, still run, and are ours: below a process, or tagged.
 * Zombies have no work left, and the `ps` of the listing is not a leftover.
 */
export function findLeftovers(
  before: readonly ProcessRow[],
  after: readonly ProcessRow[],
  rootPid: number,
): readonly ProcessRow[] {
  const known = new Set(before.map(({ pid }) => pid))
  const parents = new Map(after.map(({ pid, parentPid }) => [pid, parentPid]))
  const isBelowRoot = (pid: number): boolean => {
    const parent = parents.get(pid)
    return parent !== undefined && parent !== pid && (parent === rootPid || isBelowRoot(parent))
  }
  return after.filter(
    ({ pid, state, command }) =>
      !known.has(pid) &&
      !state.startsWith('Z') &&
      !/^(?:\S*\/)?ps\s/.test(command) &&
      (command.includes(CLEAN_UP_TAG) || isBelowRoot(pid)),
  )
}
