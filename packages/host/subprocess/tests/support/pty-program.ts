import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { suiteEnvironment, waitUntil } from '@agent-terminals/testing'
import { type IPty, spawn } from 'node-pty'
import { isZombie, parseProcStat } from '../../src/inspector/parse-stat.js'

/** A program on a PTY of its own, for tests of what looks at and ends processes. */
export interface PtyProgram {
  readonly pid: number
  readonly ttyPath: string
  readonly output: string
  write(text: string): void
  /** Resolves when the output after the last match holds `text`; rejects when the program ends without it. */
  waitForOutput(text: string | RegExp): Promise<void>
  readonly exited: Promise<{ readonly exitCode: number; readonly signal: number | undefined }>
  /** End the program and everything else in its session, and wait until nothing of it runs. */
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
  const pty: IPty = spawn(file, args, {
    cwd: '/tmp',
    env: { ...ENVIRONMENT, ...suiteEnvironment(), ...env },
    cols: 80,
    rows: 24,
  })
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
      // A hung-up bash gives its jobs the chance to leave.
      if (!hasExited) pty.kill('SIGHUP')
      const timer = setTimeout(() => pty.kill('SIGKILL'), KILL_AFTER_MS)
      await exited
      clearTimeout(timer)
      // One that restores the terminal when it is hung up (gdb) is stopped by the terminal if the shell leaves at that moment.
      await waitUntil(`session ${pty.pid} is empty`, () => killSession(pty.pid) === 0)
    },
  }
}

/** An interactive bash at its first prompt. */
export async function startBash(env: Record<string, string> = {}): Promise<PtyProgram> {
  const program = startProgram(['/bin/bash', '--norc', '--noprofile', '-i'], env)
  await program.waitForOutput('ready> ')
  return program
}

/** @returns how many were left. The session's number is not given to another process while it has members. setsid(2) */
function killSession(session: number): number {
  if (process.platform !== 'linux') return 0
  const members = readdirSync('/proc').filter((name) => isMember(name, session))
  for (const pid of members) {
    try {
      process.kill(Number(pid), 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
  return members.length
}

function isMember(name: string, session: number): boolean {
  if (!/^\d+$/.test(name)) return false
  try {
    const stat = parseProcStat(readFileSync(`/proc/${name}/stat`, 'latin1'))
    return stat !== undefined && stat.sessionId === session && !isZombie(stat)
  } catch {
    return false
  }
}

function readTty(pid: number): string {
  return readlinkSync(`/proc/${pid}/fd/0`)
}

function matchPattern(text: string, pattern: RegExp): { index: number; length: number } {
  const match = pattern.exec(text)
  return { index: match?.index ?? -1, length: match?.[0].length ?? 0 }
}
