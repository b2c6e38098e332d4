/**
 * Keeps the host's descriptors out of new terminals.
 *
 * node-pty opens masters without close-on-exec and lets the child mark descriptors from 3 upwards until it meets the
 * first free number above 15 (its Linux prebuilds lack close_range(2)). Everything beyond such a gap is inherited:
 * masters of other terminals too, with which a program could read and type there. Without gaps nothing is.
 */
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'

/** What forkpty(3) takes in this process. */
const FORK_DESCRIPTORS = 4

/** What starting a child of node:child_process takes beside its entries: pipes, mostly. */
const START_DESCRIPTORS = 16

/** Numbers beyond this are not fenced, so that one stray high descriptor does not cost thousands of system calls. */
const MAX_FENCED = 4096

/**
 * First number that cannot be taken (RLIMIT_NOFILE, getrlimit(2)). What is open from there on was inherited from a process with a
 * higher limit; trying to reach it would use up every number that a fork needs.
 */
function readLimit(): number {
  const limit = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1]
  return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit)
}

/** @param resolveMost - the highest number that is of interest under a limit. */
function findHighestDescriptor(resolveMost: (limit: number) => number): number {
  try {
    const most = Math.min(MAX_FENCED, resolveMost(readLimit()))
    const numbers = readdirSync('/proc/self/fd').map(Number)
    return numbers.reduce((highest, fd) => (fd > highest && fd <= most ? fd : highest), 2)
  } catch {
    // No procfs: macOS, where posix_spawn closes everything (POSIX_SPAWN_CLOEXEC_DEFAULT).
    return 2
  }
}

/**
 * Start a long-lived child of node:child_process without what it would inherit: a master held by such a child keeps its
 * terminal from being hung up.
 * @param start - spawns with the given `stdio` entries after the first three; each puts /dev/null in a descriptor's place.
 */
export function withCoveredDescriptors<Child>(start: (stdio: readonly number[]) => Child): Child {
  const empty = openSync('/dev/null', 'r')
  try {
    // libuv duplicates every entry to a number behind the last one before it puts them in place.
    const highest = findHighestDescriptor((limit) => Math.floor(limit / 2) - START_DESCRIPTORS)
    return start(Array.from({ length: highest - 2 }, () => empty))
  } finally {
    closeSync(empty)
  }
}

const openFiller = () => openSync('/dev/null', 'r')

/** open(2): no number is free in this process (EMFILE), or no open file in the system (ENFILE). */
function isTableFull(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'EMFILE' || code === 'ENFILE'
}

/** @throws what `open` threw, with nothing left open, unless the table is full. */
function fillGaps(highest: number, open: () => number): readonly number[] {
  const fillers: number[] = []
  try {
    // The kernel hands out the lowest free number, so the gaps are filled when the first one beyond comes.
    for (let fd = 0; fd <= highest; fd = fillers.at(-1) ?? fd) fillers.push(open())
  } catch (error) {
    const isFull = isTableFull(error)
    // Full, up to a descriptor at its very end. The fork needs room: the gap is left right below that one, where no master can be
    // unless the table was full before.
    for (const fd of fillers.splice(isFull ? -FORK_DESCRIPTORS : 0)) closeSync(fd)
    if (!isFull) throw error
  }
  return fillers
}

/**
 * Run `fork` while every descriptor number up to the highest open one is taken.
 * @param open - takes the lowest free number.
 * @throws what `open` threw, unless there is no number to take: a terminal without the fence could reach the others.
 */
export function withoutDescriptorGaps<Result>(fork: () => Result, open: () => number = openFiller): Result {
  const fillers = fillGaps(
    findHighestDescriptor((limit) => limit - 1),
    open,
  )
  try {
    return fork()
  } finally {
    for (const fd of fillers) closeSync(fd)
  }
}
