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

export interface Origin {
  /** The process that started everything. */
  readonly rootPid: number
  /** Tag in the environment of everything started on a terminal, daemons included. */
  readonly hostTag: string | undefined
}

/**
 * Processes that still run and are ours: below a process, or tagged as its. Zombies have no work left, and the `ps` of the
 * listing is none of them. What hosts left that have gone is `findLeftovers` of `@agent-terminals/subprocess/diagnostics`.
 */
export function findOwnProcesses(rows: readonly ProcessRow[], { rootPid, hostTag }: Origin): readonly ProcessRow[] {
  const parents = new Map(rows.map(({ pid, parentPid }) => [pid, parentPid]))
  const isTagged = (command: string) => hostTag !== undefined && command.includes(`AGENT_TERMINALS_HOST=${hostTag}`)
  const isBelowRoot = (pid: number): boolean => {
    const parent = parents.get(pid)
    return parent !== undefined && parent !== pid && (parent === rootPid || isBelowRoot(parent))
  }
  return rows.filter(
    ({ pid, state, command }) =>
      !state.startsWith('Z') && !/^(?:\S*\/)?ps\s/.test(command) && (isTagged(command) || isBelowRoot(pid)),
  )
}
