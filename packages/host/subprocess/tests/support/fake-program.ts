/** A terminal with a shell and one program in its foreground, told by a procfs of our own. */
import { afterEach, beforeEach } from 'vitest'
import { createInspector, createLinuxTable } from '../../src/inspector/index.js'
import { FakeProc } from './fake-proc.js'

export const TTY = '/dev/pts/7'
export const SHELL = 100
export const PROGRAM = 200

type Program = Parameters<FakeProc['put']>[0]

export interface FakeTerminal {
  /** Procfs of the test that runs. */
  readonly proc: FakeProc
  openInspector(arch?: string): ReturnType<typeof createInspector>
  putForeground(program: Partial<Program>): void
}

/** Call within the suite: every test has a procfs of its own. */
export function useFakeTerminal(): FakeTerminal {
  let proc: FakeProc
  beforeEach(() => {
    proc = new FakeProc()
  })
  afterEach(() => proc.destroy())
  return {
    get proc() {
      return proc
    },
    openInspector(arch = 'x64') {
      const processTable = createLinuxTable({ root: proc.root })
      return createInspector({ platform: 'linux', arch, rootPid: SHELL, ttyPath: TTY, processTable })
    },
    putForeground(program) {
      proc.put({ pid: SHELL, foregroundPgid: PROGRAM, threads: [{ tid: SHELL, children: [PROGRAM] }] })
      proc.put({ pid: PROGRAM, parentPid: SHELL, sessionId: SHELL, ...program })
    },
  }
}
