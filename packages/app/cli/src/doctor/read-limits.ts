import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { promisify } from 'node:util'
import { type Limit, listPidsGroups, parseMost, parseSoftLimit } from './limits.js'

const run = promisify(execFile)

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return undefined
  }
}

function readCount(path: string): number | undefined {
  const text = read(path)
  return text === undefined ? undefined : Number(text)
}

export async function readLimits(): Promise<readonly Limit[]> {
  return process.platform === 'linux' ? readLinuxLimits() : readPortableLimits()
}

function readLinuxLimits(): readonly Limit[] {
  const text = read('/proc/self/limits') ?? ''
  const uid = process.getuid?.()
  const most = parseSoftLimit(text, 'Max open files')
  return [
    { name: 'open files', most, used: countEntries('/proc/self/fd') },
    {
      name: 'processes',
      // The kernel does not hold root to it, setrlimit(2).
      most: uid === 0 ? 'unlimited' : parseSoftLimit(text, 'Max processes'),
      used: countThreads(uid),
    },
    readPidsGroup(),
    { name: 'ptys', most: readCount('/proc/sys/kernel/pty/max'), used: readCount('/proc/sys/kernel/pty/nr') },
  ]
}

/** The tightest of the groups that hold this process. */
function readPidsGroup(): Limit {
  const groups = listPidsGroups(read('/proc/self/cgroup') ?? '').map((directory) => ({
    most: parseMost(read(`${directory}/pids.max`) ?? ''),
    used: readCount(`${directory}/pids.current`),
  }))
  const roomOf = ({ most, used = 0 }: (typeof groups)[number]) =>
    typeof most === 'number' ? most - used : Number.POSITIVE_INFINITY
  const known = groups.filter(({ most }) => most !== undefined).sort((a, b) => roomOf(a) - roomOf(b))
  return { name: 'pids cgroup', most: known[0]?.most, used: known[0]?.used }
}

function countEntries(directory: string): number | undefined {
  try {
    return readdirSync(directory).length
  } catch {
    return undefined
  }
}

/** The limit counts threads, getrlimit(2). */
function countThreads(uid: number | undefined): number | undefined {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .reduce((sum, pid) => {
        try {
          return statSync(`/proc/${pid}`).uid === uid ? sum + readdirSync(`/proc/${pid}/task`).length : sum
        } catch {
          // It has ended between the listing and the look.
          return sum
        }
      }, 0)
  } catch {
    return undefined
  }
}

/** Without procfs the shell knows the limits of its parent, and sysctl that of the machine; what is in use is not counted. */
async function readPortableLimits(): Promise<readonly Limit[]> {
  const ask = async (file: string, ...args: string[]): Promise<Limit['most']> => {
    try {
      return parseMost((await run(file, args)).stdout)
    } catch {
      return undefined
    }
  }
  return [
    { name: 'open files', most: await ask('/bin/sh', '-c', 'ulimit -n'), used: countEntries('/dev/fd') },
    { name: 'processes', most: await ask('/bin/sh', '-c', 'ulimit -u'), used: undefined },
    { name: 'ptys', most: await ask('sysctl', '-n', 'kern.tty.ptmx_max'), used: undefined },
  ]
}
