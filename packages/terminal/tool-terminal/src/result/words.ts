/** Small pieces of wording that several results share. */
import type { SessionStatus } from '@agent-terminals/terminal'
import type { Fact } from './compose.js'

/** `350 ms`, `2.1 s`, `2 min 5 s`, `3 h 4 min`. */
export function renderDuration(ms: number): string {
  if (ms < 1000) return `${Math.floor(ms)} ms`
  if (ms < 60_000) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`
  const seconds = Math.floor(ms / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`
}

/** `running`, `exit 3`, `ended by SIGHUP`. */
export function renderStatus(status: SessionStatus): string {
  switch (status.kind) {
    case 'running':
      return 'running'
    case 'exited':
      return `exit ${status.exitCode}`
    case 'signalled':
      return `ended by ${status.signal}`
  }
}

export const count = (amount: number, unit: string, units = `${unit}s`) => `${amount} ${amount === 1 ? unit : units}`

/** Signals with the same number on Linux and macOS (signal(7), signal(3)). */
const SIGNAL_NAMES = new Map([
  [1, 'SIGHUP'],
  [2, 'SIGINT'],
  [3, 'SIGQUIT'],
  [4, 'SIGILL'],
  [6, 'SIGABRT'],
  [8, 'SIGFPE'],
  [9, 'SIGKILL'],
  [11, 'SIGSEGV'],
  [13, 'SIGPIPE'],
  [15, 'SIGTERM'],
])

/** `exit 7 after 2.1 s`. A shell reports a signal as 128 plus its number, and a program may exit with that by itself. */
export function exitFact(exitCode: number, durationMs: number | undefined, extra = ''): Fact {
  const signal = SIGNAL_NAMES.get(exitCode - 128)
  const after = durationMs !== undefined && durationMs >= 1000 ? ` after ${renderDuration(durationMs)}` : ''
  const likely = signal === undefined ? '' : `, as after ${signal}`
  return { text: `exit ${exitCode}${after}${likely}${extra}`, short: `exit ${exitCode}`, isEssential: true }
}
