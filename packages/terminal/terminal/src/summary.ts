import { claimOf, exitOf, isSending, type SessionState } from './core/index.js'
import type { SessionSpec } from './session-spec.js'
import type { BackendDescription, BackendSession, SessionSummary, TerminalSize } from './types.js'

const UNKNOWN: BackendDescription = {
  status: { kind: 'running' },
  cwd: undefined,
  foreground: undefined,
  title: undefined,
  idleMs: 0,
  promptDetection: 'none',
  evidence: [],
}

function describe(session: BackendSession | undefined, logError: (error: unknown) => void): BackendDescription {
  if (!session) return UNKNOWN
  try {
    return session.describe()
  } catch (error) {
    // One backend that cannot describe a terminal must not hide all the others from a list.
    logError(error)
    return UNKNOWN
  }
}

export function renderSummary(
  {
    spec,
    state,
    session,
    size,
  }: {
    readonly spec: SessionSpec
    readonly state: SessionState
    readonly session: BackendSession | undefined
    readonly size: TerminalSize
  },
  logError: (error: unknown) => void,
): SessionSummary {
  const { cwd, foreground, title, idleMs, promptDetection, evidence } = describe(session, logError)
  return {
    sessionId: spec.sessionId,
    name: spec.name,
    type: spec.backend.type,
    pid: session?.pid ?? 0,
    status: exitOf(state) ?? { kind: 'running' },
    claim: claimOf(state),
    size,
    cwd,
    foreground,
    title,
    idleMs,
    sending: isSending(state),
    openedAt: spec.openedAt,
    promptDetection,
    evidence,
  }
}
