import { closeSync, constants, openSync, readSync } from 'node:fs'

/** More than the kernel keeps for one terminal. */
const MOST_BYTES = 65_536

/**
 * Take out input that the kernel holds for a terminal and that no program has read, so that it cannot be executed after a
 * cancellation. Reading is the only way to flush from outside the terminal's own session: `tcflush` has no counterpart in
 * Node, and a ^C byte flushes only while the program lets it be a signal. Without O_NONBLOCK this could wait; with it, a
 * program blocked in a read of its own (and therefore with nothing to take) makes the attempt end at once.
 */
export function drainInput(ttyPath: string | undefined): void {
  if (ttyPath === undefined) return
  let fd: number
  try {
    fd = openSync(ttyPath, constants.O_RDONLY | constants.O_NOCTTY | constants.O_NONBLOCK)
  } catch {
    // The terminal is gone, and its input with it.
    return
  }
  try {
    const bytes = new Uint8Array(4_096)
    for (let taken = 0; taken < MOST_BYTES; ) {
      const count = readSync(fd, bytes)
      if (count === 0) return
      taken += count
    }
  } catch {
    // EAGAIN: nothing is left. EIO: the terminal has been hung up.
  } finally {
    closeSync(fd)
  }
}
