import type { ExitOutcome } from '@agent-terminals/subprocess/contract'
import type { SendProgress, SendResult, SessionStatus } from '@agent-terminals/terminal'
import {
  currentState,
  type Evidence,
  type ReadinessPolicy,
  type ReadyVerdict,
  type ViewportText,
} from '../core/index.js'
import type { SessionParts } from './parts.js'

export function toStatus(exit: ExitOutcome | undefined): SessionStatus {
  if (!exit) return { kind: 'running' }
  return exit.kind === 'code' ? { kind: 'exited', exitCode: exit.code } : { kind: 'signalled', signal: exit.signal }
}

export function toProgress(parts: SessionParts, evidence: Evidence, policy: ReadinessPolicy): SendProgress {
  const now = parts.clock.now()
  return {
    state: currentState(evidence, policy, now),
    quietMs: Math.round(now - evidence.lastOutputAt),
    lastLine: parts.output.currentLine(),
  }
}

/** Put the result of a settled send together from the verdict and what the parts know. */
export function toResult(
  parts: SessionParts,
  verdict: ReadyVerdict,
  evidence: Evidence,
  viewport: ViewportText,
  planNotes: readonly string[],
): SendResult {
  const { clock, record, handle, input, feeder, foreground } = parts
  const now = clock.now()
  const finished = record.lastCommand(now)
  // A command that ended since the input is one of it, or the one that the input was typed ahead of.
  const isFinishedHere = finished !== undefined && finished.startedAt + finished.durationMs >= evidence.startedAt
  const isUnready = verdict.state === 'busy' || verdict.state === 'quiet'
  const isRedrawing = verdict.state === 'busy' && evidence.redrawSince !== undefined
  // Without marks no prompt will ask for the lines that wait.
  const isAbandoned = handle.exit !== undefined || record.promptDetection === 'lost'
  const unsentLines = isAbandoned ? feeder.drop() : 0
  const pendingInputBytes = input.pendingBytes + feeder.remainingBytes
  return {
    viewport,
    waitReason: verdict.reason,
    sessionStatus: toStatus(handle.exit),
    truncated: viewport.omittedBytes > 0 || viewport.omittedLines > 0,
    state: verdict.state,
    promptDetection: record.promptDetection,
    elapsedMs: now - (evidence.writtenAt ?? evidence.startedAt),
    ...(isFinishedHere && finished.exitCode !== undefined ? { exitCode: finished.exitCode } : {}),
    ...(isFinishedHere ? { durationMs: finished.durationMs } : {}),
    ...(record.cwd === undefined ? {} : { cwd: record.cwd }),
    ...(foreground.program === undefined ? {} : { foreground: foreground.program }),
    ...(isUnready ? { quietMs: now - evidence.lastOutputAt } : {}),
    ...(isRedrawing ? { redrawingMs: now - (evidence.redrawSince ?? now) } : {}),
    ...(pendingInputBytes > 0 ? { pendingInputBytes } : {}),
    notes: [...planNotes, ...renderNotes(verdict, feeder.remaining, unsentLines)],
  }
}

function renderNotes(verdict: ReadyVerdict, pendingLines: number, unsentLines: number): string[] {
  const notes = [...verdict.notes]
  if (pendingLines > 0) {
    notes.push(
      `${pendingLines} more lines of the input follow at the shell’s next prompts. A cancelled send drops them.`,
    )
  }
  if (unsentLines > 0) {
    notes.push(`${unsentLines} lines of the input were not sent: the shell that would have asked for them has gone.`)
  }
  return notes
}
