import type { EvidenceSources, ForegroundInspection, ForegroundMember, TtyWait } from '../contract.js'
import type { Inspector } from './inspector.js'
import { createLinuxTable } from './linux-table.js'
import { isZombie, type ProcessStat, parseProcStat } from './parse-stat.js'
import type { ProcessTable } from './process-table.js'
import { FIRST_WALK, readChildren, type SessionWalk, walkSession } from './session-walk.js'
import { resolveSyscallTable, type SyscallTable } from './syscalls.js'
import { readProcessWaits } from './thread-waits.js'

export interface LinuxInspectorOptions {
  readonly arch: string
  readonly rootPid: number
  readonly ttyPath: string | undefined
  readonly processTable?: ProcessTable
}

/** USER_HZ: the unit of times in stat is the same on every architecture we have a table for, time(7). */
const MS_PER_TICK = 10

export function createLinuxInspector(options: LinuxInspectorOptions): Inspector {
  return new LinuxInspector(options, options.processTable ?? createLinuxTable(), resolveSyscallTable(options.arch))
}

class LinuxInspector implements Inspector {
  readonly sources: EvidenceSources
  private readonly polls = new Map<number, string>()
  private state: { readonly kind: 'open'; readonly walk: SessionWalk } | { readonly kind: 'closed' }

  constructor(
    private readonly options: LinuxInspectorOptions,
    private readonly table: ProcessTable,
    private readonly syscalls: SyscallTable | undefined,
  ) {
    this.sources = probeSources(options.arch, table, syscalls)
    this.state = { kind: 'open', walk: FIRST_WALK }
    table.keepOnly([options.rootPid])
  }

  async foregroundGroup(): Promise<number | undefined> {
    return orUnknown(() => this.readRoot()?.foregroundPgid)
  }

  async inspect(): Promise<ForegroundInspection | undefined> {
    return orUnknown(() => this.look())
  }

  private look(): ForegroundInspection | undefined {
    const root = this.readRoot()
    if (root === undefined || this.state.kind === 'closed') return undefined
    const { seen } = this.state.walk
    const { processes, walk } = walkSession(this.table, root, this.state.walk, performance.now())
    this.state = { kind: 'open', walk }
    const pgid = root.foregroundPgid
    const group = processes.filter((each) => each.pgid === pgid)
    // Those that stay are looked at again; most commands are gone by then.
    const staying = group.filter(({ pid, startTime }) => seen.get(pid) === startTime).map(({ pid }) => pid)
    this.table.keepOnly([root.pid, ...staying])
    const looks = group.map((stat) => this.lookAtMember(stat))
    return {
      pgid,
      isTopLevel: pgid === root.pgid || pgid === findWrapped(root, processes)?.pgid,
      members: looks.map((look) => look.member),
      waits: looks.flatMap((look) => look.waits),
      waitsKnown: looks.length > 0 && looks.every((look) => look.isComplete),
    }
  }

  close(): void {
    if (this.state.kind === 'closed') return
    this.state = { kind: 'closed' }
    this.table.close()
  }

  /**
   * The top-level process once it leads its own session. Between fork and setsid it still shows the host's terminal and
   * the host's foreground group, which are none of ours.
   */
  private readRoot(): ProcessStat | undefined {
    if (this.state.kind === 'closed') return undefined
    const reading = this.table.readStat(this.options.rootPid)
    const root = reading.kind === 'value' ? parseProcStat(reading.value) : undefined
    if (root === undefined || root.sessionId !== root.pid || root.foregroundPgid <= 0) return undefined
    return root
  }

  private lookAtMember(stat: ProcessStat): {
    readonly member: ForegroundMember
    readonly waits: readonly TtyWait[]
    readonly isComplete: boolean
  } {
    const member: ForegroundMember = {
      identity: { pid: stat.pid, startTime: stat.startTime },
      command: stat.command,
      state: renderState(stat),
      cpuMs: stat.cpuTicks * MS_PER_TICK,
    }
    if (member.state === 'zombie') return { member: { ...member, timedSleep: false }, waits: [], isComplete: true }
    if (this.syscalls === undefined) return { member, waits: [], isComplete: false }
    const threads = stat.threads > 1 ? this.table.listThreads(stat.pid) : { kind: 'value' as const, value: [stat.pid] }
    if (threads.kind === 'gone') return { member, waits: [], isComplete: true }
    if (threads.kind === 'denied') return { member, waits: [], isComplete: false }
    const scope = { table: this.table, syscalls: this.syscalls, ttyPath: this.options.ttyPath, polls: this.polls }
    const { waits, isComplete, timedSleep } = readProcessWaits(scope, stat.pid, threads.value)
    return {
      member: timedSleep === undefined ? member : { ...member, timedSleep },
      waits: waits.some(isSoleAmongOthers) && !this.isChildless(stat) ? waits.map(withoutSole) : waits,
      isComplete,
    }
  }

  /** A child can write to what seems to be the process's own, and its end is news for a loop, wherever it has gone. */
  private isChildless(stat: ProcessStat): boolean {
    return readChildren(this.table, stat).every(isZombie)
  }
}

/** Where the call watches nothing but the terminal, children do not matter. */
const isSoleAmongOthers = ({ sole, others }: TtyWait) => sole === true && others !== undefined

function withoutSole({ sole: _sole, ...wait }: TtyWait): TtyWait {
  return wait
}

/** Without descriptors to read with, nothing can be told. */
function orUnknown<Value>(read: () => Value | undefined): Value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Programs that stay in front of the shell they confine. The shell below them is what the user calls the top level. */
const WRAPPERS: ReadonlySet<string> = new Set(['bwrap'])

function findWrapped(root: ProcessStat, processes: readonly ProcessStat[]): ProcessStat | undefined {
  let current: ProcessStat | undefined = root
  while (current !== undefined && WRAPPERS.has(current.command)) {
    const parentPid: number = current.pid
    current = processes.find((each) => each.parentPid === parentPid)
  }
  return current
}

function renderState(stat: ProcessStat): ForegroundMember['state'] {
  if (isZombie(stat)) return 'zombie'
  switch (stat.state) {
    case 'R':
      return 'running'
    case 'S':
    case 'I':
      return 'sleeping'
    case 'D':
      return 'uninterruptible'
    case 'T':
      return 'stopped'
    // `t`, held by its debugger or tracer, is not stopped: that lets it go on by itself.
    default:
      return 'unknown'
  }
}

function probeSources(arch: string, table: ProcessTable, syscalls: SyscallTable | undefined): EvidenceSources {
  const notes: string[] = []
  const hasStat = orUnknown(() => table.readStat(process.pid))?.kind === 'value'
  if (!hasStat) notes.push('/proc is not mounted: nothing is known about the processes of a terminal.')
  if (syscalls === undefined) notes.push(`There is no system call table for ${arch}: waits for input cannot be proven.`)
  const hasSyscall = orUnknown(() => table.readSyscall(process.pid, process.pid))?.kind === 'value'
  if (hasStat && !hasSyscall) notes.push('/proc/<pid>/syscall is not readable here: waits for input cannot be proven.')
  return {
    inspector: 'linux',
    foreground: hasStat,
    ttyWaits: hasStat && hasSyscall && syscalls !== undefined,
    attributes: true,
    notes,
  }
}
