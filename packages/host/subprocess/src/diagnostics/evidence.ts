/** Which of the kernel's tables can be read of a program that waits on a terminal, one by one: to name the one that is missing. */

import { createLinuxTable } from '../inspector/linux-table.js'
import { type ProcessStat, parseProcStat } from '../inspector/parse-stat.js'
import { parseThreadStatus } from '../inspector/parse-status.js'
import { parseAddress, parseThreadCall } from '../inspector/parse-syscall.js'
import type { ProcessTable, Reading } from '../inspector/process-table.js'
import { resolveSyscallTable } from '../inspector/syscalls.js'
import { readAttributes } from '../terminal/attributes.js'

/** One source of evidence, tried. */
export interface EvidenceReading {
  /** The file, or the program, that was asked. */
  readonly source: string
  readonly ok: boolean
  /** What it said, or why it says nothing. */
  readonly detail: string
}

export interface EvidenceOptions {
  readonly table?: ProcessTable
  readonly arch?: string
}

/**
 * Read everything that proof of waiting rests on, of the program in the foreground of a terminal. Linux only.
 * @param rootPid - the top-level process of the terminal.
 */
export async function readEvidence(
  rootPid: number,
  options: EvidenceOptions = {},
): Promise<readonly EvidenceReading[]> {
  const { table = createLinuxTable(), arch = process.arch } = options
  const root = readStat(table, rootPid)
  if (root === undefined) return [missing('/proc/<pid>/stat', table.readStat(rootPid))]
  const pid = root.foregroundPgid
  const program = readStat(table, pid)
  const foreground: EvidenceReading = {
    source: '/proc/<pid>/stat',
    ok: program !== undefined,
    detail: program === undefined ? `no process leads the foreground group ${pid}` : `${program.command} is in front`,
  }
  if (program === undefined) return [foreground]
  return [
    foreground,
    ...readCall(table, pid, arch),
    judge('/proc/<pid>/task/<tid>/status', table.readStatus(pid, pid), (text) =>
      parseThreadStatus(text) === undefined ? undefined : 'counts its waits',
    ),
    ...(await readTerminal(table, root, pid)),
  ]
}

function readStat(table: ProcessTable, pid: number): ProcessStat | undefined {
  const reading = table.readStat(pid)
  return reading.kind === 'value' ? parseProcStat(reading.value) : undefined
}

/** The call in which the program waits, and the memory in which the descriptors of poll and select stand. */
function readCall(table: ProcessTable, pid: number, arch: string): readonly EvidenceReading[] {
  const source = '/proc/<pid>/task/<tid>/syscall'
  const calls = resolveSyscallTable(arch)
  const reading = table.readSyscall(pid, pid)
  const call = reading.kind === 'value' ? parseThreadCall(reading.value) : undefined
  if (calls === undefined) return [{ source, ok: false, detail: `there is no table of system calls for ${arch}` }]
  if (reading.kind !== 'value') return [missing(source, reading)]
  if (call?.kind !== 'blocked')
    return [{ source, ok: false, detail: `the program does not wait: ${reading.value.trim()}` }]
  const waits: EvidenceReading = {
    source,
    ok: true,
    detail: `waits in ${calls.get(call.number) ?? `call ${call.number}`}`,
  }
  const stack = parseAddress(reading.value.trim().split(' ')[7])
  if (stack === undefined) return [waits]
  return [waits, judge('/proc/<pid>/mem', table.readMemory(pid, stack, 8), () => 'readable')]
}

/** The device that the program reads, by its first descriptor, and the settings of the terminal. */
async function readTerminal(table: ProcessTable, root: ProcessStat, pid: number): Promise<readonly EvidenceReading[]> {
  const named = table.readDescriptor(root.pid, 0)
  const descriptor = judge('/proc/<pid>/fd', table.readDescriptor(pid, 0), (target) => `reads ${target}`)
  if (named.kind !== 'value') return [descriptor]
  const attributes = await readAttributes(named.value, 'linux')
  const settings: EvidenceReading =
    attributes === undefined
      ? { source: 'stty', ok: false, detail: `stty does not answer for ${named.value}` }
      : { source: 'stty', ok: true, detail: attributes.echo ? 'echo is on' : 'echo is off' }
  return [descriptor, settings]
}

function judge<Value>(
  source: string,
  reading: Reading<Value>,
  describe: (value: Value) => string | undefined,
): EvidenceReading {
  if (reading.kind !== 'value') return missing(source, reading)
  const detail = describe(reading.value)
  return detail === undefined
    ? { source, ok: false, detail: 'has another form than known' }
    : { source, ok: true, detail }
}

function missing(source: string, reading: Reading<unknown>): EvidenceReading {
  return { source, ok: false, detail: reading.kind === 'gone' ? 'the process has gone' : 'not readable here' }
}
