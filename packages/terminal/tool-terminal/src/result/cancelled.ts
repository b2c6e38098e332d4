/** The text of a send that was stopped before its verdict. */
import type { Interruption, SendOutcome, SessionStatus } from '@agent-terminals/terminal'
import { cleanLine } from './clean.js'
import type { Fact } from './compose.js'
import { renderStatus } from './words.js'

export type CancelledSend = Extract<SendOutcome, { kind: 'cancelled' }>

/** `killed; SIGINT was delivered to process group 42`. */
export function cancelledFacts(label: string, interruption: Interruption, status?: SessionStatus): readonly Fact[] {
  const facts: Fact[] = [{ text: `${label}; ${renderInterruption(interruption)}`, short: label, isEssential: true }]
  if (status !== undefined && status.kind !== 'running') {
    facts.push({ text: `the terminal has ended (${renderStatus(status)})` })
  }
  return facts
}

/** What a reason says, in one line without a full stop: more follows. */
export function renderReason(reason: unknown): string {
  const text = reason instanceof Error ? reason.message || reason.name : reason
  return cleanLine(typeof text === 'string' ? text : 'no reason given').replace(/\.$/, '')
}

function renderInterruption({ delivered, targetPgid }: Interruption): string {
  const target = targetPgid === undefined ? 'the foreground program' : `process group ${targetPgid}`
  switch (delivered) {
    case 'none':
      return 'nothing had been written'
    case 'failed':
      return 'the foreground program could not be interrupted and may still run'
    case 'SIGINT':
      return `SIGINT was delivered to ${target}`
    case 'SIGTERM':
    case 'SIGKILL':
      return `${delivered} was delivered to ${target}, which did not yield to less`
  }
}
