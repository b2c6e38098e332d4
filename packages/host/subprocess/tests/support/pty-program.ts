import { readlinkSync } from 'node:fs'
import { type IPty, spawn } from 'node-pty'

/** A program on a PTY of its own, for tests of what looks at and ends processes. */
export interface PtyProgram {
  readonly pid: number
  readonly ttyPath: string
  readonly output: string
  write(text: string): void
  /** Resolves when the output after the last match holds `text`; rejects when the program ends without it. */
  waitForOutput(text: string | RegExp): Promise<void>
  readonly exited: Promise<{ readonly exitCode: number; readonly signal: number | undefined }>
  /** End the program and the jobs of a shell, and wait for its end. */
  end(): Promise<void>
}

const KILL_AFTER_MS = 2000
const ENVIRONMENT = {
  PATH: process.env.PATH ?? '/usr/bin:/bin',
  HOME: '/tmp',
  TERM: 'xterm',
  PS1: 'ready> ',
  LC_ALL: 'C',
}

export function startProgram(argv: readonly [string, ...string[]], env: Record<string, string> = {}): PtyProgram {
  const [file, ...args] = argv
  const pty: IPty = spawn(file, args, { cwd: '/tmp', env: { ...ENVIRONMENT, ...env }, cols: 80, rows: 24 })
  let output = ''
  let matchedUpTo = 0
  let hasExited = false
  const waiters = new Set<() => void>()
  const wake = () => {
    for (const waiter of waiters) waiter()
  }
  pty.onData((data) => {
    output += data
    wake()
  })
  const exited = new Promise<{ exitCode: number; signal: number | undefined }>((resolve) => {
    pty.onExit(({ exitCode, signal }) => {
      hasExited = true
      wake()
      resolve({ exitCode, signal })
    })
  })
  const find = (text: string | RegExp) => {
    const rest = output.slice(matchedUpTo)
    const match =
      typeof text === 'string' ? { index: rest.indexOf(text), length: text.length } : matchPattern(rest, text)
    if (match.index < 0) return false
    matchedUpTo += match.index + match.length
    return true
  }
  return {
    pid: pty.pid,
    ttyPath: 'ptsName' in pty && typeof pty.ptsName === 'string' ? pty.ptsName : readTty(pty.pid),
    get output() {
      return output
    },
    write: (text) => pty.write(text),
    waitForOutput: (text) =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (find(text)) resolve()
          else if (hasExited) reject(new Error(`ended without printing ${text}; printed ${JSON.stringify(output)}`))
          else return
          waiters.delete(check)
        }
        waiters.add(check)
        check()
      }),
    exited,
    async end() {
      // A hung-up bash takes its jobs along; a killed one would leave them.
      if (!hasExited) pty.kill('SIGHUP')
      const timer = setTimeout(() => pty.kill('SIGKILL'), KILL_AFTER_MS)
      await exited
      clearTimeout(timer)
    },
  }
}

/** An interactive bash at its first prompt. */
export async function startBash(env: Record<string, string> = {}): Promise<PtyProgram> {
  const program = startProgram(['/bin/bash', '--norc', '--noprofile', '-i'], env)
  await program.waitForOutput('ready> ')
  return program
}

function readTty(pid: number): string {
  return readlinkSync(`/proc/${pid}/fd/0`)
}

function matchPattern(text: string, pattern: RegExp): { index: number; length: number } {
  const match = pattern.exec(text)
  return { index: match?.index ?? -1, length: match?.[0].length ?? 0 }
}
