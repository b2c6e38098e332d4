/** First and longest pause between two attempts to hand input to a kernel that has no room. */
export const FIRST_PAUSE_MS = 1
export const LONGEST_PAUSE_MS = 50

/** Pause before the next attempt, given the pause before the refused one (0 after a success). */
export function nextPauseMs(previousMs: number): number {
  return previousMs === 0 ? FIRST_PAUSE_MS : Math.min(previousMs * 2, LONGEST_PAUSE_MS)
}
