/** SIGINT, a polite kill and the end of the caller's terminal as one abort, so that a command ends through its own clean-up. */
import { tell } from './tell.js'

export interface Interrupt {
  readonly signal: AbortSignal
  /** Give the signals back to whoever handled them. */
  release(): void
}

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** From now until released, the first signal is an abort and is answered in words; so is any further one, which changes nothing. */
export function watchInterrupt(): Interrupt {
  const controller = new AbortController()
  const handle = (name: NodeJS.Signals) => {
    // Terminals show ^C where the cursor is.
    if (process.stderr.isTTY) process.stderr.write('\n')
    if (controller.signal.aborted) {
      tell(
        `still closing: programs get a few seconds to end by themselves. Nothing is left running then. To end it by force: kill -9 ${process.pid}`,
      )
      return
    }
    tell(`${name}: closing what was started.`)
    controller.abort(new Error(`interrupted by ${name}`))
  }
  for (const name of ENDING) process.on(name, handle)
  return {
    signal: controller.signal,
    release() {
      for (const name of ENDING) process.off(name, handle)
    },
  }
}
