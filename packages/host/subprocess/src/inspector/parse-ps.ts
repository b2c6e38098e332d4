/** One line of `ps` with the columns of `PS_COLUMNS`. */
export interface PsRow {
  readonly pid: number
  readonly parentPid: number
  readonly pgid: number
  /** Foreground process group of the terminal; 0 or negative without one. */
  readonly foregroundPgid: number
  /** State letters: the first is the run state, an `s` among the others marks a session leader. */
  readonly state: string
  readonly cpuMs: number
  /** Start time as `ps` prints it in the C locale, spaces normalised. */
  readonly startTime: string
  /** Terminal name without `/dev/`; `''` without one. */
  readonly tty: string
  readonly command: string
}

/** Works with the `ps` of macOS and of procps; run it with `LC_ALL=C`, ps(1). */
export const PS_COLUMNS = 'pid=,ppid=,pgid=,tpgid=,stat=,time=,lstart=,tty=,comm='

const LINE =
  /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(-?\d+)\s+(\S+)\s+([\d:.-]+)\s+(\w{3}\s+\w{3}\s+\d+\s+[\d:]+\s+\d{4})\s+(\S+)\s+(.+?)\s*$/

/** Lines that do not fit are left out. */
export function parsePs(text: string): readonly PsRow[] {
  return text.split('\n').flatMap((line) => {
    const match = LINE.exec(line)
    if (match === null) return []
    const [, pid, parentPid, pgid, foregroundPgid, state, time, startTime, tty, command] = match
    return [
      {
        pid: Number(pid),
        parentPid: Number(parentPid),
        pgid: Number(pgid),
        foregroundPgid: Number(foregroundPgid),
        state: state ?? '',
        cpuMs: parseCpuTime(time ?? ''),
        startTime: (startTime ?? '').replace(/\s+/g, ' '),
        tty: /^\?+$|^-$/.test(tty ?? '') ? '' : (tty ?? ''),
        command: (command ?? '').replace(/^.*\//, ''),
      },
    ]
  })
}

/** `[[days-]hours:]minutes:seconds[.hundredths]` in milliseconds. */
export function parseCpuTime(text: string): number {
  const [days, clock] = text.includes('-') ? text.split('-', 2) : ['0', text]
  const seconds = (clock ?? '').split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  return Math.round((Number(days) * 86_400 + seconds) * 1000)
}
