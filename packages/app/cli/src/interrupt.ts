/** SIGINT and a polite kill as one abort, so that a command ends through its own clean-up. */
export interface Interrupt {
  readonly signal: AbortSignal
  /** Give the signals back to whoever handled them. */
  release(): void
}

export function watchInterrupt(): Interrupt {
  const controller = new AbortController()
  const handle = (name: NodeJS.Signals) => controller.abort(new Error(`interrupted by ${name}`))
  process.on('SIGINT', handle)
  process.on('SIGTERM', handle)
  return {
    signal: controller.signal,
    release() {
      process.off('SIGINT', handle)
      process.off('SIGTERM', handle)
    },
  }
}
