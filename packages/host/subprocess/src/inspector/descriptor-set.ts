import { parseAddress, parseIntArgument, type ThreadCall } from './parse-syscall.js'
import {
  fdSetBytes,
  MAX_WATCHED_DESCRIPTORS,
  POLL_ENTRY_BYTES,
  parseEpollInfo,
  parseFdSet,
  parsePollSet,
  type WaitSet,
} from './parse-wait-set.js'
import type { ProcessTable, Reading } from './process-table.js'
import type { WaitingCall } from './syscalls.js'

type BlockedCall = Extract<ThreadCall, { kind: 'blocked' }>

const NO_DESCRIPTORS: Reading<readonly number[]> = { kind: 'value', value: [] }
const NOTHING: Reading<WaitSet> = { kind: 'value', value: { inputs: [], others: [] } }

/** The descriptors for which a blocked call waits. */
export function readWatchedDescriptors(
  table: ProcessTable,
  pid: number,
  kind: WaitingCall,
  call: BlockedCall,
): Reading<WaitSet> {
  switch (kind) {
    case 'read':
      return { kind: 'value', value: { inputs: [parseIntArgument(call.args[0])], others: [] } }
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

function readPollSet(table: ProcessTable, pid: number, call: BlockedCall): Reading<WaitSet> {
  const address = parseAddress(call.args[0])
  const count = parseIntArgument(call.args[1])
  if (count <= 0 || address === 0) return NOTHING
  if (address === undefined || count > MAX_WATCHED_DESCRIPTORS) return { kind: 'denied' }
  return mapReading(table.readMemory(pid, address, count * POLL_ENTRY_BYTES), parsePollSet)
}

/** `select(nfds, readfds, writefds, exceptfds, …)` */
function readSelectSet(table: ProcessTable, pid: number, call: BlockedCall): Reading<WaitSet> {
  const count = parseIntArgument(call.args[0])
  const inputs = readFdSet(table, pid, count, call.args[1])
  if (inputs.kind !== 'value') return inputs
  const watched: number[] = []
  for (const register of call.args.slice(2, 4)) {
    const set = readFdSet(table, pid, count, register)
    if (set.kind !== 'value') return set
    watched.push(...set.value)
  }
  const isOther = (fd: number) => !inputs.value.includes(fd)
  return { kind: 'value', value: { inputs: inputs.value, others: [...new Set(watched.filter(isOther))] } }
}

function readFdSet(
  table: ProcessTable,
  pid: number,
  count: number,
  register: string | undefined,
): Reading<readonly number[]> {
  const address = parseAddress(register)
  if (count <= 0 || address === 0) return NO_DESCRIPTORS
  if (address === undefined || count > MAX_WATCHED_DESCRIPTORS) return { kind: 'denied' }
  return mapReading(table.readMemory(pid, address, fdSetBytes(count)), (memory) => parseFdSet(memory, count))
}

function mapReading<From, To>(reading: Reading<From>, map: (value: From) => To): Reading<To> {
  return reading.kind === 'value' ? { kind: 'value', value: map(reading.value) } : reading
}
