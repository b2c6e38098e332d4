/** Spans of time as people read them. */

/** @param durationMs - not negative. */
export function renderDuration(durationMs: number): string {
  if (durationMs < 1_000) return `${Math.round(durationMs)} ms`
  const seconds = durationMs / 1_000
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return join(`${minutes} min`, whole % 60, 's')
  return join(`${Math.floor(minutes / 60)} h`, minutes % 60, 'min')
}

function join(large: string, small: number, unit: string): string {
  return small === 0 ? large : `${large} ${small} ${unit}`
}

/** Whole seconds left until a moment, for a countdown: never less than 0. Both in ms of the same clock. */
export function secondsUntil(moment: number, now: number): number {
  return Math.max(0, Math.ceil((moment - now) / 1_000))
}
