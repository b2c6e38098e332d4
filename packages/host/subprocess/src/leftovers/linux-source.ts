import { HOST_TAG_VARIABLE } from '../host-end/host-end.js'
import type { TaggedHost } from '../host-end/host-tag.js'
import { isZombie, type ProcessStat } from '../inspector/parse-stat.js'
import type { ProcessTable } from '../inspector/process-table.js'
import { readProcess } from '../inspector/session-walk.js'
import { SESSION_TAG_VARIABLE } from '../teardown/termination.js'
import type { HostLife, LeftoverSource, TaggedProcess } from './source.js'

export interface LinuxSourceOptions {
  readonly table: ProcessTable
  readonly ownPid: number
  /** Only processes of this user are looked at. */
  readonly uid: number | undefined
  /** This process's pid namespace. */
  readonly namespace: string | undefined
}

/** Leftovers over procfs. */
export class LinuxLeftoverSource implements LeftoverSource {
  constructor(private readonly options: LinuxSourceOptions) {}

  async listTagged(): Promise<readonly TaggedProcess[]> {
    return this.options.table.listPids().flatMap((pid) => this.readTagged(pid) ?? [])
  }

  async listOwnLine(): Promise<ReadonlySet<number>> {
    const line = new Set<number>()
    let pid: number | undefined = this.options.ownPid
    while (pid !== undefined && pid > 0 && !line.has(pid)) {
      line.add(pid)
      pid = readProcess(this.options.table, pid)?.parentPid
    }
    return line
  }

  async judgeHost({ pid, startTime, namespace }: TaggedHost): Promise<HostLife> {
    if (namespace !== this.options.namespace) return 'unknown'
    const stat = readProcess(this.options.table, pid)
    if (stat === undefined || isZombie(stat)) return 'gone'
    return startTime === undefined || startTime === stat.startTime ? 'alive' : 'gone'
  }

  private readTagged(pid: number): TaggedProcess | undefined {
    const { table, uid } = this.options
    const before = readProcess(table, pid)
    const environment = table.readEnvironment(pid)
    if (before === undefined || isZombie(before) || environment.kind !== 'value') return undefined
    const hostTag = findVariable(environment.value, HOST_TAG_VARIABLE)
    if (hostTag === undefined) return undefined
    const owner = table.readOwner(pid)
    if (uid !== undefined && (owner.kind !== 'value' || owner.value !== uid)) return undefined
    const command = this.readCommand(before)
    // The pid may have changed hands between the reads.
    if (readProcess(table, pid)?.startTime !== before.startTime) return undefined
    const sessionTag = findVariable(environment.value, SESSION_TAG_VARIABLE)
    return { pid, startTime: before.startTime, command, hostTag, sessionTag }
  }

  private readCommand({ pid, command }: ProcessStat): string {
    const line = this.options.table.readCommandLine(pid)
    return (line.kind === 'value' ? line.value.replaceAll('\0', ' ').trim() : '') || command
  }
}

function findVariable(environment: string, name: string): string | undefined {
  const entry = environment.split('\0').find((each) => each.startsWith(`${name}=`))
  return entry?.slice(name.length + 1)
}
