/** Ending many terminals together: all are tried, every failure is reported, none hides another. */
import { TerminalCleanupError } from './errors.js'
import { messageOf } from './failures.js'
import type { Session } from './session.js'

/** @returns what went wrong, one error per terminal that could not be ended. */
export async function endAll(sessions: Iterable<Session>, reason: Error): Promise<readonly unknown[]> {
  const results = await Promise.allSettled([...sessions].map((session) => session.end(reason)))
  return results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
}

/** @throws TerminalCleanupError when there is any failure. */
export function reportFailures(failures: readonly unknown[], whose: string): void {
  if (failures.length === 0) return
  const list = failures.map((failure) => `- ${messageOf(failure)}`).join('\n')
  const count = failures.length === 1 ? 'one terminal' : `${failures.length} terminals`
  throw new TerminalCleanupError(`The clean-up of ${count} of ${whose} failed:\n${list}`, failures)
}
