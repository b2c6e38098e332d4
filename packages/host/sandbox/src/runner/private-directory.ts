/** Private temporary directories of confinements: made, removed, and swept up after hosts that were killed. */
import { readlinkSync, rmSync } from 'node:fs'
import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PREFIX = 'agent-terminals-'
const NAME = /^agent-terminals-(\d+)-(\d+)-[A-Za-z0-9]{6}$/

/** Process numbers mean something within one namespace only, and containers may share a temporary directory. */
function readPidNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0'
  } catch {
    return '0'
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

export interface PrivateDirectories {
  /** @returns an absolute path without symlinks. */
  create(): Promise<string>
  remove(path: string): Promise<void>
  /** At the end of the process, when nothing can be awaited. */
  removeAllNow(): void
}

/** @param base - where they are made: the machine's temporary directory. */
export function createPrivateDirectories(base = tmpdir()): PrivateDirectories {
  const namespace = readPidNamespace()
  const live = new Set<string>()
  let sweeping: Promise<void> | undefined

  /** Remove what hosts of this namespace left that are no more. What belongs to others cannot be removed and is no error. */
  async function sweep(): Promise<void> {
    const names = await readdir(base).catch(() => [])
    const isLeft = (name: string) => {
      const [, from, pid] = NAME.exec(name) ?? []
      return from === namespace && pid !== undefined && !isRunning(Number(pid))
    }
    await Promise.all(names.filter(isLeft).map((name) => rm(join(base, name), REMOVAL).catch(() => {})))
  }

  return {
    async create() {
      sweeping ??= sweep()
      await sweeping
      const path = await realpath(await mkdtemp(join(base, `${PREFIX}${namespace}-${process.pid}-`)))
      live.add(path)
      return path
    },
    async remove(path) {
      await rm(path, REMOVAL)
      live.delete(path)
    },
    removeAllNow() {
      for (const path of live) {
        try {
          rmSync(path, REMOVAL)
        } catch {
          // A later host sweeps it up.
        }
      }
      live.clear()
    },
  }
}

const REMOVAL = { recursive: true, force: true } as const
