import type { EvidenceSources, ForegroundInspection, ForegroundMember } from '../contract.js'
import type { Inspector } from './inspector.js'
import { PS_COLUMNS, type PsRow, parsePs } from './parse-ps.js'
import { type PsRunner, systemPs } from './run-ps.js'

export interface DarwinInspectorOptions {
  readonly rootPid: number
  readonly ttyPath: string | undefined
  readonly runPs?: PsRunner
}

const SOURCES: EvidenceSources = {
  inspector: 'darwin',
  foreground: true,
  ttyWaits: false,
  attributes: true,
  notes: ['macOS does not tell what a process waits for: readiness rests on prompt markers and silence.'],
}

/** The inspector over `ps`: foreground group, members, their states and CPU time; never a proven wait. */
export function createDarwinInspector(options: DarwinInspectorOptions): Inspector {
  return new DarwinInspector(options.rootPid, options.ttyPath, options.runPs ?? systemPs)
}

class DarwinInspector implements Inspector {
  readonly sources = SOURCES
  private isClosed = false

  constructor(
    private readonly rootPid: number,
    private readonly ttyPath: string | undefined,
    private readonly runPs: PsRunner,
  ) {}

  async foregroundGroup(): Promise<number | undefined> {
    return (await this.readRoot())?.foregroundPgid
  }

  async inspect(): Promise<ForegroundInspection | undefined> {
    const tty = this.ttyPath?.replace(/^\/dev\//, '') ?? (await this.readRoot())?.tty
    if (!tty) return undefined
    // Everything of the session that still has the terminal, and nothing else of the machine.
    const rows = await this.readRows(['-t', tty])
    const root = rows.find((row) => row.pid === this.rootPid)
    if (root === undefined || !holdsTerminal(root)) return undefined
    const pgid = root.foregroundPgid
    return {
      pgid,
      isTopLevel: pgid === root.pgid,
      members: rows.filter((row) => row.pgid === pgid).map(renderMember),
      waits: [],
      waitsKnown: false,
    }
  }

  close(): void {
    this.isClosed = true
  }

  private async readRoot(): Promise<PsRow | undefined> {
    const [root] = await this.readRows(['-p', String(this.rootPid)])
    return root !== undefined && holdsTerminal(root) ? root : undefined
  }

  private async readRows(selection: readonly string[]): Promise<readonly PsRow[]> {
    if (this.isClosed) return []
    return parsePs(await this.runPs(['-o', PS_COLUMNS, ...selection]))
  }
}

/** Before it leads its own session the process still shows the host's terminal, which is none of ours. */
function holdsTerminal(root: PsRow): boolean {
  return root.state.includes('s', 1) && root.foregroundPgid > 0
}

function renderMember(row: PsRow): ForegroundMember {
  return {
    identity: { pid: row.pid, startTime: row.startTime },
    command: row.command,
    state: renderState(row.state[0]),
    cpuMs: row.cpuMs,
  }
}

function renderState(letter: string | undefined): ForegroundMember['state'] {
  switch (letter) {
    case 'R':
      return 'running'
    case 'S':
    case 'I':
      return 'sleeping'
    case 'U':
    case 'D':
      return 'uninterruptible'
    case 'T':
    case 't':
      return 'stopped'
    case 'Z':
      return 'zombie'
    default:
      return 'unknown'
  }
}
