/** The process table as a test sees it. Linux reads `/proc`; elsewhere `ps` answers. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

export interface ProcessRow {
  readonly pid: number
  readonly parentPid: number
  readonly state: string
  readonly command: string
}

function parseStat(text: string): ProcessRow {
  // The command may hold spaces and parentheses: it ends at the last ')'.
  const open = text.indexOf('(')
  const close = text.lastIndexOf(')')
  const rest = text.slice(close + 2).split(' ')
  return {
    pid: Number(text.slice(0, open - 1)),
    command: text.slice(open + 1, close),
    state: rest[0] ?? '?',
    parentPid: Number(rest[1]),
  }
}

function readProc(): ProcessRow[] {
  const rows: ProcessRow[] = []
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      rows.push(parseStat(readFileSync(`/proc/${name}/stat`, 'latin1')))
    } catch {
      // The process ended between the listing and the read.
    }
  }
  return rows
}

function readPs(): ProcessRow[] {
  const output = execFileSync('ps', ['-axo', 'pid=,ppid=,stat=,comm='], { encoding: 'utf8' })
  return output
    .trim()
    .split('\n')
    .map((line) => {
      const [pid, parentPid, state, ...command] = line.trim().split(/\s+/)
      return { pid: Number(pid), parentPid: Number(parentPid), state: state?.[0] ?? '?', command: command.join(' ') }
    })
}

export function readProcesses(): ProcessRow[] {
  return existsSync('/proc/self/stat') ? readProc() : readPs()
}

/** All processes below a pid, zombies included. */
export function listDescendants(rootPid: number): ProcessRow[] {
  const rows = readProcesses()
  const found: ProcessRow[] = []
  const queue = [rootPid]
  for (let parent = queue.shift(); parent !== undefined; parent = queue.shift()) {
    for (const row of rows) {
      if (row.parentPid !== parent) continue
      found.push(row)
      queue.push(row.pid)
    }
  }
  return found
}

/** All processes that began with `NAME=value` in their environment, as far as it can be read; none without procfs. */
export function listCarriers(variable: string): ProcessRow[] {
  if (!existsSync('/proc/self/environ')) return []
  return readProc().filter(({ pid }) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(variable)
    } catch {
      return false
    }
  })
}

/** Whether a process exists and is not a zombie. */
export function isAlive(pid: number): boolean {
  const row = readProcesses().find((each) => each.pid === pid)
  return row !== undefined && row.state !== 'Z'
}

/**
 * Wait for a condition of the outside world that sends no event (another process, a file).
 * @throws after `timeoutMs`, naming what was waited for.
 */
export async function waitUntil(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  timeoutMs = 20_000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms in vain until ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
