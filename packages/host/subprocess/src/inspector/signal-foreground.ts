import type { ForegroundInspection, TerminalSignal } from '../contract.js'
import type { Inspector } from './inspector.js'

export type ForegroundSignalOutcome =
  | { readonly kind: 'sent'; readonly pgid: number }
  | {
      readonly kind: 'refused'
      readonly code: 'NO_FOREGROUND' | 'SHELL_KILL' | 'SIGNAL_FAILED'
      /** What was found and what to do next. */
      readonly message: string
    }

/** kill(2) on a process group; throws as `process.kill` does. */
export type GroupKill = (pgid: number, signal: TerminalSignal) => void

const systemGroupKill: GroupKill = (pgid, signal) => {
  process.kill(-pgid, signal)
}

/** Signals that a stopped program should act on now, not when somebody continues it one day. */
const WAKING: ReadonlySet<TerminalSignal> = new Set(['SIGINT', 'SIGTERM', 'SIGHUP'])

/**
 * Deliver a signal to the group that holds the terminal at this moment. A stopped group gets SIGCONT after SIGINT,
 * SIGTERM and SIGHUP, because a stopped process handles nothing but SIGKILL. Seed, "Six model-facing tools".
 */
export async function signalForegroundGroup(
  inspector: Pick<Inspector, 'inspect'>,
  signal: TerminalSignal,
  kill: GroupKill = systemGroupKill,
): Promise<ForegroundSignalOutcome> {
  const look = await inspector.inspect()
  if (look === undefined || !look.members.some((member) => member.state !== 'zombie')) {
    return refuse('NO_FOREGROUND', 'No process of this terminal holds its foreground; nothing was signalled.')
  }
  if (signal === 'SIGKILL' && look.isTopLevel) {
    return refuse(
      'SHELL_KILL',
      'The foreground is the terminal’s own top-level program; SIGKILL would end the session. Close the terminal instead.',
    )
  }
  return deliver(look, signal, kill)
}

function deliver(look: ForegroundInspection, signal: TerminalSignal, kill: GroupKill): ForegroundSignalOutcome {
  try {
    kill(look.pgid, signal)
    const isStopped = look.members.some((member) => member.state === 'stopped')
    if (isStopped && WAKING.has(signal)) kill(look.pgid, 'SIGCONT')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    if (code === 'ESRCH')
      return refuse('NO_FOREGROUND', `Process group ${look.pgid} ended before ${signal} reached it.`)
    return refuse(
      'SIGNAL_FAILED',
      `${signal} to process group ${look.pgid} failed with ${code}; it may run as another user. Its own key or the terminal’s close still work.`,
    )
  }
  return { kind: 'sent', pgid: look.pgid }
}

function refuse(
  code: Extract<ForegroundSignalOutcome, { kind: 'refused' }>['code'],
  message: string,
): ForegroundSignalOutcome {
  return { kind: 'refused', code, message }
}
