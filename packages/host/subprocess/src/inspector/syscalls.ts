/**
 * System calls in which a thread waits, by number. From the kernel's UAPI headers: `asm/unistd_64.h` for x86-64 and
 * `asm-generic/unistd.h` for arm64. Every other architecture has no table and thereby no exact evidence.
 */

/** What a call waits for, with what is needed to read its arguments. */
export type WaitingCall =
  /** `read(fd, …)` and its relatives: the descriptor is the first argument. */
  | 'read'
  /** `poll(fds, nfds, timeout in ms)` */
  | 'poll'
  /** `ppoll(fds, nfds, timeout pointer, …)` */
  | 'ppoll'
  /** `select(nfds, readfds, writefds, exceptfds, timeval pointer)` */
  | 'select'
  /** `pselect6`: the same with a timespec pointer. */
  | 'pselect'
  /** `epoll_wait` and `epoll_pwait`: `(instance, events, maxevents, timeout in ms, …)` */
  | 'epoll'
  /** `epoll_pwait2`: the same with a timespec pointer. */
  | 'epoll2'
  /** `nanosleep`, `clock_nanosleep` */
  | 'sleep'
  /** Waiting for another thread: a helper that says nothing about what the process waits for. */
  | 'futex'
  /** `restart_syscall`: an interrupted sleep or poll that was continued with its old arguments. */
  | 'restart'

export type SyscallTable = ReadonlyMap<number, WaitingCall>

const X86_64: SyscallTable = new Map<number, WaitingCall>([
  [0, 'read'],
  [19, 'read'], // readv
  [17, 'read'], // pread64
  [295, 'read'], // preadv
  [327, 'read'], // preadv2
  [7, 'poll'],
  [271, 'ppoll'],
  [23, 'select'],
  [270, 'pselect'], // pselect6
  [232, 'epoll'], // epoll_wait
  [281, 'epoll'], // epoll_pwait
  [441, 'epoll2'], // epoll_pwait2
  [35, 'sleep'], // nanosleep
  [230, 'sleep'], // clock_nanosleep
  [202, 'futex'],
  [219, 'restart'],
])

const ARM64: SyscallTable = new Map<number, WaitingCall>([
  [63, 'read'],
  [65, 'read'], // readv
  [67, 'read'], // pread64
  [69, 'read'], // preadv
  [286, 'read'], // preadv2
  [73, 'ppoll'],
  [72, 'pselect'], // pselect6
  [22, 'epoll'], // epoll_pwait
  [441, 'epoll2'], // epoll_pwait2
  [101, 'sleep'], // nanosleep
  [115, 'sleep'], // clock_nanosleep
  [98, 'futex'],
  [128, 'restart'],
])

/** @param arch - as in `process.arch`. */
export function resolveSyscallTable(arch: string): SyscallTable | undefined {
  if (arch === 'x64') return X86_64
  if (arch === 'arm64') return ARM64
  return undefined
}
