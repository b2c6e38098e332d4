import { parseAddress, parseIntArgument, type ThreadCall } from './parse-syscall.js'
import {
  fdSetBytes,
  MAX_WATCHED_DESCRIPTORS,
  POLL_ENTRY_BYTES,
  parseEpollInfo,
  parseFdSet,
  parsePollSet,
} from './parse-wait-set.js'
import type { ProcessTable, Reading } from './process-table.js'
import type { WaitingCall } from './syscalls.js'

type BlockedCall = Extract<ThreadCall, { kind: 'blocked' }>

const NOTHING: Reading<readonly number[]> = { kind: 'value', value: [] }

/** The descriptors from which a blocked call would take input. */
export function readWatchedDescriptors(
  table: ProcessTable,
  pid: number,
  kind: WaitingCall,
  call: BlockedCall,
): Reading<readonly number[]> {
  switch (kind) {
    case 'read':
      return { kind: 'value', value: [parseIntArgument(call.args[0])] }
    case 'poll':
    case 'ppoll':
      return readPollSet(table, pid, call)
    case 'select':
    case 'pselect':
      return readSelectSet(table, pid, call)
    case 'epoll':
    case 'epoll2':
      return mapReading(table.readDescriptorInfo(pid, parseIntArgument(call.args[0])), parseEpollInfo)
    default:
      return NOTHING
  }
}

/** A wait that only time can end: a sleep, or poll and select without descriptors but with a timeout. */
export function isTimedSleep(kind: WaitingCall, call: BlockedCall): boolean {
  switch (kind) {
    case 'sleep':
      return true
    case 'poll':
      return parseIntArgument(call.args[1]) === 0 && parseIntArgument(call.args[2]) >= 0
    case 'ppoll':
      return parseIntArgument(call.args[1]) === 0 && parseAddress(call.args[2]) !== 0
    case 'select':
    case 'pselect':
      return parseIntArgument(call.args[0]) === 0 && parseAddress(call.args[4]) !== 0
    case 'restart':
      // A continued clock_nanosleep still shows its clock and flags; a continued poll would show a pointer here.
      return isSmall(call.args[0]) && isSmall(call.args[1])
    default:
      return false
  }
}

function isSmall(register: string | undefined): boolean {
  return register === '0x0' || register === '0x1'
}

function readPollSet(table: ProcessTable, pid: number, call: BlockedCall): Reading<readonly number[]> {
  const address = parseAddress(call.args[0])
  const count = parseIntArgument(call.args[1])
  if (count <= 0 || address === 0) return NOTHING
  if (address === undefined || count > MAX_WATCHED_DESCRIPTORS) return { kind: 'denied' }
  return mapReading(table.readMemory(pid, address, count * POLL_ENTRY_BYTES), parsePollSet)
}

function readSelectSet(table: ProcessTable, pid: number, call: BlockedCall): Reading<readonly number[]> {
  const count = parseIntArgument(call.args[0])
  const address = parseAddress(call.args[1])
  if (count <= 0 || address === 0) return NOTHING
  if (address === undefined || count > MAX_WATCHED_DESCRIPTORS) return { kind: 'denied' }
  return mapReading(table.readMemory(pid, address, fdSetBytes(count)), (memory) => parseFdSet(memory, count))
}

function mapReading<From, To>(reading: Reading<From>, map: (value: From) => To): Reading<To> {
  return reading.kind === 'value' ? { kind: 'value', value: map(reading.value) } : reading
}
