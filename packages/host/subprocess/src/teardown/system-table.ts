import type { ProcessIdentity } from '../contract.js'
import { createLinuxTable } from '../inspector/linux-table.js'
import { parsePs } from '../inspector/parse-ps.js'
import { runPsNow, systemPs } from '../inspector/run-ps.js'
import { LinuxSessionTable, type ProcessKill, readIdentity } from './linux-session-table.js'
import { PsSessionTable } from './ps-session-table.js'
import type { SessionTable } from './session-table.js'

const systemKill: ProcessKill = (pid, signal) => {
  process.kill(pid, signal)
}

let systemTable: SessionTable | undefined

/** This machine's processes: one table for all terminations, so that they can share what they read. */
export function resolveSystemTable(): SessionTable {
  systemTable ??= createSystemTable()
  return systemTable
}

function createSystemTable(): SessionTable {
  return process.platform === 'linux'
    ? new LinuxSessionTable(createLinuxTable(), systemKill)
    : new PsSessionTable(systemPs, systemKill)
}

/**
 * Name a process so that a later signal cannot reach another one. Call it in the turn that started the process, while it
 * cannot have been collected. A process that has gone all the same gets a name that nothing answers to.
 */
export function captureIdentity(pid: number): ProcessIdentity {
  const identity = process.platform === 'linux' ? readIdentity(createLinuxTable(), pid) : readPsIdentity(pid)
  return identity ?? { pid, startTime: '' }
}

function readPsIdentity(pid: number): ProcessIdentity | undefined {
  const [row] = parsePs(runPsNow(['-p', String(pid)]))
  return row && { pid, startTime: row.startTime }
}
