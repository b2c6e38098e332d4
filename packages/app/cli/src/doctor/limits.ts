/** What bounds the number of terminals here, and how many fit. Pure; `read-limits.ts` reads. */
import type { Check } from './report.js'

/** One bound of this machine, container or user. */
export interface Limit {
  readonly name: 'open files' | 'processes' | 'pids cgroup' | 'ptys'
  /** `undefined` when it cannot be told. */
  readonly most: number | 'unlimited' | undefined
  readonly used: number | undefined
}

/** As many terminals as one owner may have by default: fewer is worth a warning. */
const ENOUGH_TERMINALS = 32

interface Price {
  /** What one terminal takes of it at most in ordinary use. */
  readonly perTerminal: number
  readonly unit: string
  readonly advice: string
}

const PRICES: Readonly<Record<Limit['name'], Price>> = {
  'open files': {
    // The device, and the files of the process table that stay open while a send looks at its program.
    perTerminal: 26,
    unit: 'descriptors of this process',
    advice: 'Raise `ulimit -n`.',
  },
  processes: {
    // A sandbox's two, the shell, and a program in it.
    perTerminal: 4,
    unit: 'processes of this user',
    advice: 'Raise `ulimit -u`, or end programs.',
  },
  'pids cgroup': {
    perTerminal: 4,
    unit: 'processes of this control group',
    advice: 'Raise the limit of the container or unit (docker --pids-limit, systemd TasksMax).',
  },
  ptys: {
    perTerminal: 1,
    unit: 'PTYs of this machine',
    advice: 'Close terminals, or raise kernel.pty.max.',
  },
}

export function checkLimit({ name, most, used }: Limit): Check {
  const { perTerminal, unit, advice } = PRICES[name]
  if (most === undefined) return { name, status: 'ok', detail: 'not known here' }
  if (most === 'unlimited') return { name, status: 'ok', detail: 'no limit' }
  const room = Math.max(0, Math.floor((most - (used ?? 0)) / perTerminal))
  const use = used === undefined ? `${most} ${unit} at most` : `${used} of ${most} ${unit} in use`
  const detail = `${use}; a terminal takes up to ${perTerminal}: room for ${room}`
  if (room >= ENOUGH_TERMINALS) return { name, status: 'ok', detail }
  const cost =
    room === 0 ? 'No terminal can be opened.' : `After about ${room} more, opening fails or programs cannot start.`
  return { name, status: room === 0 ? 'fail' : 'warn', detail, cost, advice }
}

/** One line of `/proc/<pid>/limits`, proc_pid_limits(5). */
export function parseSoftLimit(text: string, label: string): Limit['most'] {
  const value = new RegExp(`^${label} +(\\S+)`, 'm').exec(text)?.[1]
  return value === undefined ? undefined : parseMost(value)
}

/** The output of `ulimit`, or the content of `pids.max`: a number, or a word for none. */
export function parseMost(text: string): Limit['most'] {
  const word = text.trim()
  if (word === 'unlimited' || word === 'max') return 'unlimited'
  return /^\d+$/.test(word) ? Number(word) : undefined
}

/**
 * Directories of the pids controller that bound a process, its own first, from `/proc/<pid>/cgroup`: cgroups(7). The limit of each
 * one above counts as well.
 */
export function listPidsGroups(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.split(':'))
  const old = lines.find(([, controllers]) => controllers?.split(',').includes('pids'))
  const unified = lines.find(([number, controllers]) => number === '0' && controllers === '')
  const [base, path] = old ? ['/sys/fs/cgroup/pids', old[2]] : ['/sys/fs/cgroup', unified?.[2]]
  if (path === undefined) return []
  const parts = path.split('/').filter((part) => part !== '')
  return parts.map((_, at) => `${base}/${parts.slice(0, parts.length - at).join('/')}`).concat(base)
}
