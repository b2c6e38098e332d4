/**
 * Keeps the host's descriptors out of new terminals.
 *
 * node-pty opens masters without close-on-exec and lets the child mark descriptors from 3 upwards until it meets the
 * first free number above 15 (its Linux prebuilds lack close_range(2)). Everything beyond such a gap is inherited:
 * masters of other terminals too, with which a program could read and type there. Without gaps nothing is.
 */
import { closeSync, openSync, readdirSync } from 'node:fs'

/** Numbers beyond this are not fenced, so that one stray high descriptor does not cost thousands of system calls. */
const MAX_FENCED = 4096

function findHighestDescriptor(): number {
  try {
    const numbers = readdirSync('/proc/self/fd').map(Number)
    return numbers.reduce((highest, fd) => (fd > highest && fd <= MAX_FENCED ? fd : highest), 2)
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
    return start(Array.from({ length: findHighestDescriptor() - 2 }, () => empty))
  } finally {
    closeSync(empty)
  }
}

/** Run `fork` while every descriptor number up to the highest open one is taken. */
export function withoutDescriptorGaps<Result>(fork: () => Result): Result {
  const highest = findHighestDescriptor()
  const fillers: number[] = []
  try {
    // The kernel hands out the lowest free number, so the gaps are filled when the first one beyond comes.
    for (let fd = 0; fd <= highest; fd = fillers.at(-1) ?? fd) fillers.push(openSync('/dev/null', 'r'))
  } catch {
    // The table is full, which leaves no gap either.
  }
  try {
    return fork()
  } finally {
    for (const fd of fillers) closeSync(fd)
  }
}
