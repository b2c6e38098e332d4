/** How the person who started `serve` asks for another link: Enter where they can type, a signal where nobody can. */
import { spawnSync } from 'node:child_process'

const SIGNAL = 'SIGUSR2'

/**
 * Whether this process is the one its terminal listens to. One in the background (`serve &`) that reads would be stopped
 * with SIGTTIN. ps(1)
 */
function isInForeground(): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'pgid=,tpgid=', '-p', String(process.pid)], { encoding: 'utf8' })
  const [group, foreground] = (stdout ?? '').trim().split(/\s+/)
  return group !== undefined && group === foreground
}

export interface LinkRequests {
  /** How to ask, in a sentence. */
  readonly how: string
  release(): void
}

export function watchLinkRequests(handleRequest: () => void): LinkRequests {
  const { stdin } = process
  process.on(SIGNAL, handleRequest)
  if (!stdin.isTTY) {
    return {
      how: `kill -${SIGNAL.slice('SIG'.length)} ${process.pid} prints another.`,
      release: () => void process.off(SIGNAL, handleRequest),
    }
  }
  // Read while in the foreground only; `fg` and `bg` both continue the process.
  const adapt = () => void (isInForeground() ? stdin.resume() : stdin.pause())
  // A listener would start the reading by itself otherwise.
  stdin.pause()
  stdin.on('data', handleRequest)
  process.on('SIGCONT', adapt)
  adapt()
  return {
    how: 'Enter prints another.',
    release() {
      process.off('SIGCONT', adapt)
      process.off(SIGNAL, handleRequest)
      stdin.off('data', handleRequest)
      stdin.pause()
    },
  }
}
