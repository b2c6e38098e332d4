import { parseAddress, parseIntArgument, type ThreadCall } from './parse-syscall.js'
import type { ProcessTable } from './process-table.js'
import type { WaitingCall } from './syscalls.js'

type BlockedCall = Extract<ThreadCall, { kind: 'blocked' }>

/** `struct timeval` and `struct timespec` on 64-bit Linux: seconds, then micro- or nanoseconds, 8 bytes each. */
const TIME_BYTES = 16
const NANOSECONDS = 1_000_000
const MICROSECONDS = 1_000

/**
 * How long a blocked call was asked to wait at most, in milliseconds: the whole span, not what is left of it.
 * @returns `undefined` for a call without a limit, and for one whose limit cannot be read.
 */
export function readWaitTimeoutMs(
  table: ProcessTable,
  pid: number,
  kind: WaitingCall,
  call: BlockedCall,
): number | undefined {
  switch (kind) {
    case 'poll':
      return limit(parseIntArgument(call.args[2]))
    case 'epoll':
      return limit(parseIntArgument(call.args[3]))
    case 'ppoll':
      return readTime(table, pid, call.args[2], NANOSECONDS)
    case 'epoll2':
      return readTime(table, pid, call.args[3], NANOSECONDS)
    case 'pselect':
      return readTime(table, pid, call.args[4], NANOSECONDS)
    case 'select':
      return readTime(table, pid, call.args[4], MICROSECONDS)
    default:
      return undefined
  }
}

/** Whether a blocked call was asked to wait without limit. One that cannot be read is a limit. */
export function isUntimed(kind: WaitingCall, call: BlockedCall): boolean {
  switch (kind) {
    case 'poll':
      return parseIntArgument(call.args[2]) < 0
    case 'epoll':
      return parseIntArgument(call.args[3]) < 0
    case 'ppoll':
      return parseAddress(call.args[2]) === 0
    // `futex(address, operation, value, timeout pointer, …)`, futex(2)
    case 'futex':
    case 'epoll2':
      return parseAddress(call.args[3]) === 0
    case 'pselect':
    case 'select':
      return parseAddress(call.args[4]) === 0
    case 'read':
      return true
    default:
      return false
  }
}

const limit = (milliseconds: number) => (milliseconds < 0 ? undefined : milliseconds)

function readTime(
  table: ProcessTable,
  pid: number,
  register: string | undefined,
  partsPerMs: number,
): number | undefined {
  const address = parseAddress(register)
  if (address === undefined || address === 0) return undefined
  const reading = table.readMemory(pid, address, TIME_BYTES)
  return reading.kind === 'value' ? parseTimeMs(reading.value, partsPerMs) : undefined
}

function parseTimeMs(memory: Uint8Array, partsPerMs: number): number | undefined {
  if (memory.byteLength < TIME_BYTES) return undefined
  const view = new DataView(memory.buffer, memory.byteOffset, memory.byteLength)
  const ms = Number(view.getBigInt64(0, true)) * 1_000 + Number(view.getBigInt64(8, true)) / partsPerMs
  return ms < 0 ? undefined : ms
}
