/** SIGINT, a polite kill and the end of the caller's terminal as one abort, so that a command ends through its own clean-up. */
export interface Interrupt {
  readonly signal: AbortSignal
  /** Give the signals back to whoever handled them. */
  release(): void
}

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export function watchInterrupt(): Interrupt {
  const controller = new AbortController()
  const handle = (name: NodeJS.Signals) => controller.abort(new Error(`interrupted by ${name}`))
  for (const name of ENDING) process.on(name, handle)
  return {
    signal: controller.signal,
    release() {
      for (const name of ENDING) process.off(name, handle)
    },
  }
}
