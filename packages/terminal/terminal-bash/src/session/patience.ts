import type { Clock } from './clock.js'

/** A question about processes takes a few milliseconds; one that takes this long has no answer. */
export const LOOK_PATIENCE_MS = 1_000

/** What the promise gives, or `undefined` when it takes too long. A rejection passes. */
export function waitWithPatience<T>(clock: Clock, promise: Promise<T>, patienceMs: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const release = clock.schedule(patienceMs, () => resolve(undefined))
    promise.finally(release).then(resolve, reject)
  })
}
