import type { ProcessIdentity } from '../contract.js'
import { createLinuxTable } from '../inspector/linux-table.js'
import { PS_COLUMNS, parsePs } from '../inspector/parse-ps.js'
import { systemPs } from '../inspector/run-ps.js'
import { LinuxSessionTable, type ProcessKill, readIdentity } from './linux-session-table.js'
import { PsSessionTable } from './ps-session-table.js'
import type { SessionTable } from './session-table.js'

const systemKill: ProcessKill = (pid, signal) => {
  process.kill(pid, signal)
}

/** This machine's processes. */
export function createSystemTable(): SessionTable {
  return process.platform === 'linux'
    ? new LinuxSessionTable(createLinuxTable(), systemKill)
    : new PsSessionTable(systemPs, systemKill)
}

/**
 * Name a process so that a later signal cannot reach another one. Call it while the process cannot have been collected
 * yet: right after starting it.
 * @returns `undefined` when there is no such process.
 */
export async function captureIdentity(pid: number): Promise<ProcessIdentity | undefined> {
  if (process.platform === 'linux') return readIdentity(createLinuxTable(), pid)
  const [row] = parsePs(await systemPs(['-o', PS_COLUMNS, '-p', String(pid)]))
  return row && { pid, startTime: row.startTime }
}
