/** What `/proc/<pid>/stat` says, as far as inspection and teardown need it: proc_pid_stat(5). */
export interface ProcessStat {
  readonly pid: number
  /** Name of the executable, cut to 15 bytes by the kernel. */
  readonly command: string
  /** One letter: R, S, D, T, t, Z, X, I. */
  readonly state: string
  readonly parentPid: number
  readonly pgid: number
  readonly sessionId: number
  /** Foreground process group of the controlling terminal, -1 without one. */
  readonly foregroundPgid: number
  /** User and system time of all threads, in clock ticks. */
  readonly cpuTicks: number
  readonly threads: number
  /** Clock ticks since boot, kept as text: it is only ever compared. */
  readonly startTime: string
}

/** @returns `undefined` for text that is not a complete stat line. */
export function parseProcStat(text: string): ProcessStat | undefined {
  // The command may hold spaces and parentheses: it ends at the last ')'.
  const open = text.indexOf('(')
  const close = text.lastIndexOf(')')
  if (open < 2 || close < open) return undefined
  const fields = text.slice(close + 2).split(' ')
  const startTime = fields[19]
  const state = fields[0]
  if (startTime === undefined || !state) return undefined
  const numberAt = (index: number) => Number(fields[index])
  const stat: ProcessStat = {
    pid: Number(text.slice(0, open - 1)),
    command: text.slice(open + 1, close),
    state,
    parentPid: numberAt(1),
    pgid: numberAt(2),
    sessionId: numberAt(3),
    foregroundPgid: numberAt(5),
    cpuTicks: numberAt(11) + numberAt(12),
    threads: numberAt(17),
    startTime: startTime.trim(),
  }
  const areNumbers =
    Number.isSafeInteger(stat.pid) &&
    Number.isSafeInteger(stat.parentPid) &&
    Number.isSafeInteger(stat.pgid) &&
    Number.isSafeInteger(stat.sessionId) &&
    Number.isSafeInteger(stat.foregroundPgid) &&
    Number.isSafeInteger(stat.cpuTicks) &&
    Number.isSafeInteger(stat.threads)
  return areNumbers && /^\d+$/.test(stat.startTime) ? stat : undefined
}

/** Ended and only waiting to be collected. A process whose first thread left while others run shows Z as well, but lives. */
export function isZombie(stat: Pick<ProcessStat, 'state' | 'threads'>): boolean {
  return (stat.state === 'Z' || stat.state === 'X') && stat.threads <= 1
}
