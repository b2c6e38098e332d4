/** At once, and then at most once per interval, however often it is asked for. */
export interface Coalescer {
  request(): void
  /** Nothing fires after this. */
  stop(): void
}

export function createCoalescer(intervalMs: number, fire: () => void): Coalescer {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isRequested = false
  let isStopped = false

  const open = (): void => {
    timer = undefined
    if (isRequested) run()
  }
  const run = (): void => {
    isRequested = false
    timer = setTimeout(open, intervalMs)
    fire()
  }

  return {
    request() {
      if (isStopped) return
      isRequested = true
      if (timer === undefined) run()
    },
    stop() {
      isStopped = true
      isRequested = false
      clearTimeout(timer)
      timer = undefined
    },
  }
}
