import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { resolveSyscallTable, type WaitingCall } from '../../src/inspector/syscalls.js'

const NAMES: Readonly<Record<string, WaitingCall>> = {
  read: 'read',
  readv: 'read',
  pread64: 'read',
  preadv: 'read',
  preadv2: 'read',
  poll: 'poll',
  ppoll: 'ppoll',
  select: 'select',
  pselect6: 'pselect',
  epoll_wait: 'epoll',
  epoll_pwait: 'epoll',
  epoll_pwait2: 'epoll2',
  nanosleep: 'sleep',
  clock_nanosleep: 'sleep',
  futex: 'futex',
  restart_syscall: 'restart',
}

const HEADERS = [
  ['x64', '/usr/include/x86_64-linux-gnu/asm/unistd_64.h'],
  ['arm64', '/usr/include/asm-generic/unistd.h'],
] as const

/** The numbers of the named calls in a UAPI header. */
function readHeader(path: string): ReadonlyMap<number, WaitingCall> {
  const numbers = new Map<number, WaitingCall>()
  for (const match of readFileSync(path, 'utf8').matchAll(/^#define __NR(?:3264)?_(\w+) (\d+)$/gm)) {
    const call = NAMES[match[1] ?? '']
    if (call !== undefined) numbers.set(Number(match[2]), call)
  }
  return numbers
}

describe('resolveSyscallTable', () => {
  for (const [arch, path] of HEADERS) {
    it.skipIf(!existsSync(path))(`has the numbers of the kernel’s header for ${arch} (needs ${path})`, () => {
      expect(Object.fromEntries(resolveSyscallTable(arch) ?? [])).toEqual(Object.fromEntries(readHeader(path)))
    })
  }

  it.each(['ia32', 'arm', 'riscv64', 's390x', 'ppc64'])('has no table for %s', (arch) => {
    expect(resolveSyscallTable(arch)).toBeUndefined()
  })
})
