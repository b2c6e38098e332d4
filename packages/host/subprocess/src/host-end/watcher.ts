import { spawn } from 'node:child_process'
import { Socket } from 'node:net'
import { withCoveredDescriptors } from '../descriptor-fence.js'
import { WATCHER_SCRIPT } from './watcher-script.js'

/** The process that outlives its host for a moment to end what the host left. */
export interface Watcher {
  /** A terminal's session has started; its leader's pid names it. */
  addSession(pid: number): void
  /** The session has ended: its number may soon name another one. */
  forgetSession(pid: number): void
  /** Whether the watcher still watches. It can only be ended from outside. */
  readonly isAlive: boolean
  /** Dismiss the watcher. Resolves when it has exited. */
  stop(): Promise<void>
}

/** How long a dismissed watcher may take before it is killed. */
const STOP_MS = 1000

/**
 * Start a watcher. It keeps neither the host alive nor a directory busy, and lives in a session of its own, so that keys
 * pressed in the host's terminal do not reach it.
 * @param entry - `NAME=value` that the processes to be ended carry in their environment.
 */
export function startWatcher(entry: string): Watcher {
  const child = withCoveredDescriptors((covers) =>
    spawn('/bin/sh', ['-c', WATCHER_SCRIPT, 'agent-terminals-watcher'], {
      cwd: '/',
      detached: true,
      env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
      stdio: ['pipe', 'ignore', 'ignore', ...covers],
    }),
  )
  let isAlive = true
  const exited = new Promise<void>((resolve) => {
    const end = () => {
      isAlive = false
      resolve()
    }
    child.once('exit', end)
    // Without a shell there is no watcher; the sweep at exit and the hang-up by the kernel remain.
    child.once('error', end)
  })
  // It may be gone when a line is sent; `exit` says so.
  const { stdin } = child
  stdin?.on('error', () => {})
  child.unref()
  if (stdin instanceof Socket) stdin.unref()
  const send = (line: string) => {
    if (isAlive) stdin?.write(`${line}\n`)
  }
  send(entry)
  return {
    addSession: (pid) => send(`session ${pid}`),
    forgetSession: (pid) => send(`forget ${pid}`),
    get isAlive() {
      return isAlive
    },
    async stop() {
      if (!isAlive) return exited
      child.ref()
      stdin?.end('stop\n')
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
      await exited
      clearTimeout(timer)
    },
  }
}
