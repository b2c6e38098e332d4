/** `ctx.subprocess` over plain node-pty: what the shell backend asks of a process, and nothing else. */
import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import type {
  EvidenceSources,
  ExitOutcome,
  SpawnTerminalSpec,
  SubprocessService,
  SubprocessTerminal,
} from '@agent-terminals/subprocess/contract'
import { type IPty, spawn } from 'node-pty'

const run = promisify(execFile)

export type NeededTerminal = Pick<
  SubprocessTerminal,
  | 'exit'
  | 'exited'
  | 'foregroundGroup'
  | 'maxCanonicalBytes'
  | 'onOutput'
  | 'pendingInputBytes'
  | 'pid'
  | 'resize'
  | 'signalForeground'
  | 'sources'
  | 'terminate'
  | 'write'
>
export type NeededSubprocess = Pick<SubprocessService, 'resolveExecutable'> & {
  spawnTerminal(spec: SpawnTerminalSpec): Promise<NeededTerminal>
}

/** Nothing but prompts and silence: readiness then works as on a platform without evidence. */
const NO_EVIDENCE: EvidenceSources = {
  inspector: 'unknown',
  foreground: false,
  ttyWaits: false,
  attributes: false,
  notes: ['this host does not look into processes'],
}

export function createSubprocess(): NeededSubprocess {
  return {
    async resolveExecutable(name) {
      const candidates = name.startsWith('/')
        ? [name]
        : (process.env.PATH ?? '').split(delimiter).map((dir) => join(dir, name))
      for (const path of candidates) {
        const isExecutable = await access(path, constants.X_OK).then(
          () => true,
          () => false,
        )
        if (isExecutable) return path
      }
      throw new Error(`${name} is not on the PATH`)
    },

    async spawnTerminal({ argv: [file, ...args], cwd, env, size, terminalType, signal }) {
      signal?.throwIfAborted()
      const pty = spawn(file, args, {
        cwd,
        cols: size.columns,
        rows: size.rows,
        name: terminalType,
        encoding: null,
        env: mergeEnvironment(env),
      })
      return createTerminal(pty)
    },
  }
}

/** A value of `undefined` removes a name. A real host would also hold back what looks like a credential. */
function mergeEnvironment(overrides: SpawnTerminalSpec['env'] = {}): Record<string, string> {
  const merged = { PATH: process.env.PATH, HOME: process.env.HOME, LANG: 'C.UTF-8', ...overrides }
  return Object.fromEntries(Object.entries(merged).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

function createTerminal(pty: IPty): NeededTerminal {
  let exit: ExitOutcome | undefined
  const exited = new Promise<ExitOutcome>((resolve) => {
    pty.onExit(({ exitCode, signal }) => {
      exit = signal ? { kind: 'signal', signal: String(signal) } : { kind: 'code', code: exitCode }
      resolve(exit)
    })
  })
  return {
    pid: pty.pid,
    maxCanonicalBytes: 4096,
    pendingInputBytes: 0,
    sources: NO_EVIDENCE,
    exited,
    get exit() {
      return exit
    },
    onOutput(listener) {
      const { dispose } = pty.onData((data) => listener(Buffer.from(data)))
      return () => dispose()
    },
    async write(data, signal) {
      signal?.throwIfAborted()
      pty.write(typeof data === 'string' ? data : Buffer.from(data))
    },
    resize: ({ columns, rows }) => pty.resize(columns, rows),
    foregroundGroup: () => readForegroundGroup(pty.pid),
    async signalForeground(signal) {
      const pgid = await readForegroundGroup(pty.pid)
      if (pgid === undefined) throw new Error('the foreground group is unknown')
      process.kill(-pgid, signal)
      return { pgid }
    },
    async terminate({ graceMs }) {
      const ended = await endSession(pty.pid, graceMs)
      await exited
      return ended
    },
  }
}

async function readForegroundGroup(pid: number): Promise<number | undefined> {
  const { stdout } = await run('ps', ['-o', 'tpgid=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
  const pgid = Number.parseInt(stdout, 10)
  return pgid > 0 ? pgid : undefined
}

/** The shell leads a session of its own: its members are those with its pid as their session. */
async function listSession(pid: number): Promise<number[]> {
  const { stdout } = await run('ps', ['-o', 'pid=,stat=', '-s', String(pid)]).catch(() => ({ stdout: '' }))
  const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/))
  return rows.filter(([id, state]) => id && !state?.startsWith('Z')).map(([id]) => Number(id))
}

async function endSession(pid: number, graceMs: number): Promise<{ ended: number; forced: boolean }> {
  const members = await listSession(pid)
  const signalAll = async (signal: NodeJS.Signals) => {
    for (const member of await listSession(pid)) {
      try {
        process.kill(member, signal)
      } catch {
        // It has gone meanwhile.
      }
    }
  }
  const deadline = Date.now() + graceMs
  while (Date.now() < deadline) {
    await signalAll('SIGHUP')
    await signalAll('SIGCONT')
    await new Promise((resolve) => setTimeout(resolve, 20))
    if ((await listSession(pid)).length === 0) return { ended: Math.max(0, members.length - 1), forced: false }
  }
  await signalAll('SIGKILL')
  return { ended: Math.max(0, members.length - 1), forced: true }
}
