import { useEffect, useState } from 'preact/hooks'

/** Draws the component again while something on it counts. */
export function useTicking(isTicking: boolean, everyMs = 1_000): void {
  const [, setTicks] = useState(0)
  useEffect(() => {
    if (!isTicking) return
    const timer = setInterval(() => setTicks((ticks) => ticks + 1), everyMs)
    return () => clearInterval(timer)
  }, [isTicking, everyMs])
}
