import type { TtyWait } from '../contract.js'
import { isTimedSleep, readWatchedDescriptors } from './descriptor-set.js'
import { parseThreadStatus } from './parse-status.js'
import { parseThreadCall } from './parse-syscall.js'
import type { WaitSet } from './parse-wait-set.js'
import type { ProcessTable, Reading } from './process-table.js'
import type { SyscallTable, WaitingCall } from './syscalls.js'
import { isUntimed, readWaitTimeoutMs } from './wait-timeout.js'

/** What a look at all threads of one process showed. */
export interface ProcessWaits {
  readonly waits: readonly TtyWait[]
  /** False when something that could have hidden a wait was unreadable. */
  readonly isComplete: boolean
  /** Only time can wake the process. `undefined` when a thread could not be read. */
  readonly timedSleep: boolean | undefined
}

export interface ThreadWaitScope {
  readonly table: ProcessTable
  readonly syscalls: SyscallTable
  readonly ttyPath: string | undefined
  /**
   * Registers of the poll in which a thread was last seen, by thread id. A poll that is continued after a stop goes on as
   * `restart_syscall` with the same registers; only by them is it known for what it is.
   */
  readonly polls: Map<number, string>
}

/** More threads than an interactive session has; beyond them memory matters more. */
const MAX_REMEMBERED_POLLS = 256

type ThreadLook = (
  | { readonly kind: 'tty'; readonly wait: TtyWait }
  | { readonly kind: 'sleep' | 'helper' | 'working' | 'elsewhere' | 'unreadable' | 'gone' }
) & {
  /** Neither time nor anything outside the process can wake the thread, input from the terminal excepted. */
  readonly isStill?: boolean
}

/** Look at every thread of a process: which of them wait for input from the terminal? */
export function readProcessWaits(scope: ThreadWaitScope, pid: number, threads: readonly number[]): ProcessWaits {
  const looks = threads.map((tid) => lookAtThread(scope, pid, tid))
  const has = (kind: ThreadLook['kind']) => looks.some((look) => look.kind === kind)
  const areStill = looks.every(({ kind, isStill }) => isStill || kind === 'gone')
  return {
    waits: looks.flatMap((look) => {
      if (look.kind !== 'tty') return []
      const { wait } = look
      // A thread that was at work when this one was looked at may have woken it since, and sleep by now.
      const isAsleep =
        areStill && (threads.length === 1 || readSleepCounter(scope.table, pid, wait.tid) === wait.wakeups)
      return isAsleep ? [{ ...wait, sole: true }] : [wait]
    }),
    isComplete: !has('unreadable'),
    timedSleep: has('unreadable') ? undefined : has('sleep') && !has('tty') && !has('elsewhere') && !has('working'),
  }
}

function lookAtThread(scope: ThreadWaitScope, pid: number, tid: number): ThreadLook {
  const before = scope.table.readSyscall(pid, tid)
  if (before.kind !== 'value') return { kind: before.kind === 'gone' ? 'gone' : 'unreadable' }
  const call = parseThreadCall(before.value)
  if (call === undefined) return { kind: 'unreadable' }
  if (call.kind === 'running') return { kind: 'working' }
  if (call.kind === 'outside') return { kind: 'elsewhere' }
  if (call.isCompat) return { kind: 'unreadable' }
  const kind = resolveCall(scope, tid, call.number, before.value)
  if (kind === undefined) return { kind: 'elsewhere' }
  if (kind === 'futex') return { kind: 'helper', isStill: isUntimed(kind, call) }
  if (isTimedSleep(kind, call)) return { kind: 'sleep' }
  // A continued call that was not seen before its stop has lost its name; what it watches cannot be proven.
  if (kind === 'restart') return { kind: 'unreadable' }
  return proveTtyWait(scope, pid, tid, kind, before.value)
}

function resolveCall(scope: ThreadWaitScope, tid: number, number: number, text: string): WaitingCall | undefined {
  const kind = scope.syscalls.get(number)
  if (kind !== 'poll' && kind !== 'restart') return kind
  const registers = text.slice(text.indexOf(' '))
  if (kind === 'restart') return scope.polls.get(tid) === registers ? 'poll' : kind
  if (scope.polls.size >= MAX_REMEMBERED_POLLS) scope.polls.clear()
  scope.polls.set(tid, registers)
  return kind
}

/**
 * The wait and its counter must belong together: a counter read while the thread was elsewhere would make a wait that
 * never ended look like a new one, or the reverse. So the call is read between two equal counters.
 */
function proveTtyWait(
  scope: ThreadWaitScope,
  pid: number,
  tid: number,
  kind: WaitingCall,
  expected: string,
): ThreadLook {
  const before = readSleepCounter(scope.table, pid, tid)
  if (typeof before !== 'number') return { kind: before }
  const reading = scope.table.readSyscall(pid, tid)
  if (reading.kind !== 'value') return { kind: reading.kind === 'gone' ? 'gone' : 'unreadable' }
  const call = reading.value === expected ? parseThreadCall(reading.value) : undefined
  if (call?.kind !== 'blocked') return { kind: 'working' }
  const watched = readWatchedDescriptors(scope.table, pid, kind, call)
  if (watched.kind !== 'value') return { kind: watched.kind === 'gone' ? 'gone' : 'unreadable' }
  const { kind: verdict, isOwn } = classify(scope, pid, watched.value)
  const isStill = isOwn && isUntimed(kind, call)
  if (verdict !== 'tty') return { kind: verdict, isStill }
  const timeoutMs = readWaitTimeoutMs(scope.table, pid, kind, call)
  if (readSleepCounter(scope.table, pid, tid) !== before) return { kind: 'working' }
  const others = watched.value.inputs.length + watched.value.others.length - 1
  const wait: TtyWait = {
    pid,
    tid,
    call: renderCall(kind),
    wakeups: before,
    ...(others > 0 ? { others } : {}),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  }
  return { kind: 'tty', wait, isStill }
}

/** The wake counter of a thread that sleeps. A stopped thread still shows the call it was stopped in, but takes no input. */
function readSleepCounter(
  table: ProcessTable,
  pid: number,
  tid: number,
): number | 'gone' | 'unreadable' | 'working' | 'elsewhere' {
  const reading = table.readStatus(pid, tid)
  if (reading.kind !== 'value') return reading.kind === 'gone' ? 'gone' : 'unreadable'
  const status = parseThreadStatus(reading.value)
  if (status === undefined) return 'unreadable'
  if (status.state === 'R') return 'working'
  return status.state === 'S' ? status.voluntarySwitches : 'elsewhere'
}

/** What descriptors lead to: is this terminal to be read, and is nothing else watched that is not the process's own? */
function classify(
  scope: ThreadWaitScope,
  pid: number,
  { inputs, others }: WaitSet,
): { readonly kind: 'tty' | 'elsewhere' | 'unreadable'; readonly isOwn: boolean } {
  let kind: 'tty' | 'elsewhere' | 'unreadable' = 'elsewhere'
  let isOwn = true
  const isOwnTarget = (fd: number, target: Reading<string>) =>
    target.kind === 'value' && isOwnEvent(scope, pid, fd, target.value)
  for (const fd of inputs) {
    const target = scope.table.readDescriptor(pid, fd)
    const isTerminal = target.kind === 'value' && isTty(scope, pid, fd, target.value)
    if (isTerminal) kind = 'tty'
    else if (target.kind === 'denied' && kind === 'elsewhere') kind = 'unreadable'
    isOwn &&= isTerminal || isOwnTarget(fd, target)
  }
  return { kind, isOwn: isOwn && others.every((fd) => isOwnTarget(fd, scope.table.readDescriptor(pid, fd))) }
}

/** An eventfd, or a pipe to itself, as event loops have for signals: its ends were made together and have neighbouring numbers. */
function isOwnEvent({ table }: ThreadWaitScope, pid: number, fd: number, target: string): boolean {
  if (target === 'anon_inode:[eventfd]') return true
  if (!target.startsWith('pipe:')) return false
  return [fd + 1, fd - 1].some((neighbour) => {
    const other = table.readDescriptor(pid, neighbour)
    return other.kind === 'value' && other.value === target
  })
}

function isTty({ table, ttyPath }: ThreadWaitScope, pid: number, fd: number, target: string): boolean {
  // `/dev/tty` is the controlling terminal, and every member of the foreground group has ours.
  if (target === '/dev/tty' || target === ttyPath) return true
  // In a sandbox the same device can have another name.
  return ttyPath !== undefined && /\/(?:console|pts\/\d+|tty)$/.test(target) && table.isSameDevice(pid, fd, ttyPath)
}

function renderCall(kind: WaitingCall): TtyWait['call'] {
  if (kind === 'read') return kind
  return kind === 'epoll' || kind === 'epoll2' ? 'epoll' : 'poll'
}
