/** Which descriptors a blocked thread watches for input, out of the three ways a program can say so. */

/** More than this is no interactive program; the set is then not read. */
export const MAX_WATCHED_DESCRIPTORS = 4096

/** `struct pollfd`: int fd, short events, short revents. */
export const POLL_ENTRY_BYTES = 8
const POLLIN = 0x0001
const POLLRDNORM = 0x0040

/** Descriptors watched for input in an array of `struct pollfd`, poll(2). Negative ones are ignored by the kernel too. */
export function parsePollSet(memory: Uint8Array): readonly number[] {
  const view = new DataView(memory.buffer, memory.byteOffset, memory.byteLength)
  const watched: number[] = []
  for (let at = 0; at + POLL_ENTRY_BYTES <= memory.byteLength; at += POLL_ENTRY_BYTES) {
    const fd = view.getInt32(at, true)
    const events = view.getUint16(at + 4, true)
    if (fd >= 0 && (events & (POLLIN | POLLRDNORM)) !== 0) watched.push(fd)
  }
  return watched
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

/** Descriptors watched for input by an epoll instance: the `tfd:` lines of its fdinfo, proc_pid_fdinfo(5). */
export function parseEpollInfo(text: string): readonly number[] {
  const watched: number[] = []
  for (const match of text.matchAll(/^tfd:\s*(\d+)\s+events:\s*([0-9a-f]+)/gm)) {
    const events = Number.parseInt(match[2] ?? '0', 16)
    if ((events & (EPOLLIN | EPOLLRDNORM)) !== 0) watched.push(Number(match[1]))
  }
  return watched
}
