/** Which descriptors a blocked thread watches, out of the three ways a program can say so. */

/** What a call waits for. A descriptor is in one of the two. */
export interface WaitSet {
  readonly inputs: readonly number[]
  /** Watched for something else only: room to write, an answer to a connection, an end. */
  readonly others: readonly number[]
}

/** More than this is no interactive program; the set is then not read. */
export const MAX_WATCHED_DESCRIPTORS = 4096

/** `struct pollfd`: int fd, short events, short revents. */
export const POLL_ENTRY_BYTES = 8
const POLLIN = 0x0001
const POLLRDNORM = 0x0040

/**
 * An array of `struct pollfd`, poll(2). Negative descriptors are ignored by the kernel too; without any event, an error or an end is
 * still told.
 */
export function parsePollSet(memory: Uint8Array): WaitSet {
  const view = new DataView(memory.buffer, memory.byteOffset, memory.byteLength)
  const inputs: number[] = []
  const others: number[] = []
  for (let at = 0; at + POLL_ENTRY_BYTES <= memory.byteLength; at += POLL_ENTRY_BYTES) {
    const fd = view.getInt32(at, true)
    if (fd < 0) continue
    const isInput = (view.getUint16(at + 4, true) & (POLLIN | POLLRDNORM)) !== 0
    ;(isInput ? inputs : others).push(fd)
  }
  return { inputs, others }
}

/** Bytes of an `fd_set` that cover `count` descriptors. */
export function fdSetBytes(count: number): number {
  return Math.ceil(count / 8)
}

/** Descriptors below `count` in an `fd_set`, select(2). Both supported architectures are little-endian. */
export function parseFdSet(memory: Uint8Array, count: number): readonly number[] {
  const watched: number[] = []
  for (let fd = 0; fd < count; fd++) {
    const byte = memory[fd >> 3]
    if (byte !== undefined && (byte & (1 << (fd & 7))) !== 0) watched.push(fd)
  }
  return watched
}

const EPOLLIN = 0x001
const EPOLLRDNORM = 0x040
/** How events are told, not which (EPOLLEXCLUSIVE to EPOLLET): nothing else is left of one that was to be told once, and has been. */
const EPOLL_EVENTS = 0x0fff_ffff

/** The interest list of an epoll instance: the `tfd:` lines of its fdinfo, proc_pid_fdinfo(5). */
export function parseEpollInfo(text: string): WaitSet {
  const inputs: number[] = []
  const others: number[] = []
  for (const match of text.matchAll(/^tfd:\s*(\d+)\s+events:\s*([0-9a-f]+)/gm)) {
    const events = Number.parseInt(match[2] ?? '0', 16) & EPOLL_EVENTS
    if (events === 0) continue
    const isInput = (events & (EPOLLIN | EPOLLRDNORM)) !== 0
    ;(isInput ? inputs : others).push(Number(match[1]))
  }
  return { inputs, others }
}
