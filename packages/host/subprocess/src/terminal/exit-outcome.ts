import { constants } from 'node:os'
import type { ExitOutcome } from '../contract.js'

/** node-pty reports a signal's number, or 0 for an ordinary exit. */
export function toExitOutcome(code: number, signalNumber: number | undefined): ExitOutcome {
  if (!signalNumber) return { kind: 'code', code }
  const name = Object.entries(constants.signals).find(([, number]) => number === signalNumber)?.[0]
  return { kind: 'signal', signal: name ?? `SIG${signalNumber}` }
}
