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
  const releaseSignal = () => void process.off(SIGNAL, handleRequest)
  const bySignal = `kill -${SIGNAL.slice('SIG'.length)} ${process.pid} prints another.`
  if (!stdin.isTTY) return { how: bySignal, release: releaseSignal }

  // Shells continue a stopped process with SIGCONT, in the foreground or in the background.
  const adapt = () => {
    const isHeard = isInForeground()
    if (isHeard) stdin.resume()
    else stdin.pause()
    return isHeard
  }
  // A listener would start the reading by itself otherwise.
  stdin.pause()
  stdin.on('data', handleRequest)
  process.on('SIGCONT', adapt)
  return {
    how: adapt() ? 'Enter prints another.' : bySignal,
    release() {
      process.off('SIGCONT', adapt)
      stdin.off('data', handleRequest)
      stdin.pause()
      releaseSignal()
    },
  }
}
