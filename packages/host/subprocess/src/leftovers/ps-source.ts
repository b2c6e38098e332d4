import { HOST_TAG_VARIABLE } from '../host-end/host-end.js'
import type { TaggedHost } from '../host-end/host-tag.js'
import { PS_COLUMNS, parsePs } from '../inspector/parse-ps.js'
import type { PsRunner } from '../inspector/run-ps.js'
import { listAncestry } from '../inspector/tree.js'
import { SESSION_TAG_VARIABLE } from '../teardown/termination.js'
import type { HostLife, LeftoverSource, TaggedProcess } from './source.js'

const LINE = /^\s*(\d+)\s+(\S+)\s+(\w{3}\s+\w{3}\s+\d+\s+[\d:]+\s+\d{4})\s+(.*)$/
const VARIABLE = / [A-Za-z_][A-Za-z0-9_]*=/

/** Leftovers over the `ps` of macOS, which shows the environment of the user's own, unprotected programs. */
export class PsLeftoverSource implements LeftoverSource {
  constructor(
    private readonly runPs: PsRunner,
    private readonly ownPid: number,
  ) {}

  async listTagged(): Promise<readonly TaggedProcess[]> {
    return parseTagged(await this.runPs(['-x', '-E', '-ww', '-o', 'pid=,stat=,lstart=,command=']))
  }

  async listOwnLine(): Promise<ReadonlySet<number>> {
    const rows = parsePs(await this.runPs(['-ax', '-o', PS_COLUMNS]))
    return new Set(listAncestry(rows, this.ownPid))
  }

  /** The tag holds no start time here, so whatever has the pid counts as the host: a leftover may be missed, never invented. */
  async judgeHost({ pid, namespace }: TaggedHost): Promise<HostLife> {
    if (namespace !== undefined) return 'unknown'
    const rows = parsePs(await this.runPs(['-o', PS_COLUMNS, '-p', String(pid)]))
    return rows.some((row) => row.pid === pid && !row.state.startsWith('Z')) ? 'alive' : 'gone'
  }
}

/** Command line and environment stand in one text; the first thing that looks like a variable ends the command line. */
export function parseTagged(text: string): readonly TaggedProcess[] {
  return text.split('\n').flatMap((line) => {
    const [, pid, state = '', startTime = '', rest = ''] = LINE.exec(line) ?? []
    const hostTag = findVariable(rest, HOST_TAG_VARIABLE)
    if (pid === undefined || state.startsWith('Z') || hostTag === undefined) return []
    const end = VARIABLE.exec(rest)?.index
    return [
      {
        pid: Number(pid),
        startTime: startTime.replace(/\s+/g, ' '),
        command: rest.slice(0, end),
        hostTag,
        sessionTag: findVariable(rest, SESSION_TAG_VARIABLE),
      },
    ]
  })
}

function findVariable(text: string, name: string): string | undefined {
  return new RegExp(` ${name}=(\\S+)`).exec(text)?.[1]
}
