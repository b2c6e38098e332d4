import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync, statSync } from 'node:fs'
import type { ProcessTable, Reading } from './process-table.js'

export interface LinuxTableOptions {
  /** Where procfs is mounted; a directory of files with the same layout serves as well. Default `/proc`. */
  readonly root?: string
  /** Called once per file, link or directory that is read. */
  readonly onRead?: () => void
}

const GONE = { kind: 'gone' } as const
const DENIED = { kind: 'denied' } as const
const SMALL_FILE_BYTES = 4096
/** Of one terminal: enough for a pipeline of a few programs, or for one with some threads. */
const MAX_KEPT_DESCRIPTORS = 24

/** The process table of this machine, over procfs. */
export function createLinuxTable(options: LinuxTableOptions = {}): ProcessTable {
  return new LinuxTable(options.root ?? '/proc', options.onRead ?? (() => {}))
}

class LinuxTable implements ProcessTable {
  private readonly buffer = Buffer.allocUnsafe(SMALL_FILE_BYTES)
  private keptPids: ReadonlySet<number> = new Set()
  private readonly keptDescriptors = new Map<string, { readonly pid: number; readonly fd: number }>()
  private hasChildrenFiles: boolean | undefined

  constructor(
    private readonly root: string,
    private readonly onRead: () => void,
  ) {}

  readStat(pid: number): Reading<string> {
    return this.readSmall(pid, `${this.root}/${pid}/stat`)
  }

  readSyscall(pid: number, tid: number): Reading<string> {
    return this.readSmall(pid, `${this.root}/${pid}/task/${tid}/syscall`)
  }

  readStatus(pid: number, tid: number): Reading<string> {
    return this.readSmall(pid, `${this.root}/${pid}/task/${tid}/status`)
  }

  listThreads(pid: number): Reading<readonly number[]> {
    return this.attempt(pid, () => parseNumbers(readdirSync(`${this.root}/${pid}/task`)))
  }

  readChildren(pid: number, tid: number): Reading<string> {
    this.hasChildrenFiles ??= this.probeChildrenFiles()
    if (!this.hasChildrenFiles) return { kind: 'value', value: pid === tid ? this.findChildren(pid).join(' ') : '' }
    return this.readSmall(pid, `${this.root}/${pid}/task/${tid}/children`)
  }

  readDescriptor(pid: number, fd: number): Reading<string> {
    return this.attempt(pid, () => readlinkSync(`${this.root}/${pid}/fd/${fd}`))
  }

  isSameDevice(pid: number, fd: number, path: string): boolean {
    const reading = this.attempt(pid, () => {
      const open = statSync(`${this.root}/${pid}/fd/${fd}`)
      const named = statSync(path)
      return open.dev === named.dev && open.ino === named.ino && open.rdev === named.rdev
    })
    return reading.kind === 'value' && reading.value
  }

  readDescriptorInfo(pid: number, fd: number): Reading<string> {
    return this.attempt(pid, () => readFileSync(`${this.root}/${pid}/fdinfo/${fd}`, 'latin1'))
  }

  readMemory(pid: number, address: number, length: number): Reading<Uint8Array> {
    return this.attempt(pid, () => {
      const memory = new Uint8Array(length)
      const fd = openSync(`${this.root}/${pid}/mem`, 'r')
      try {
        const count = readSync(fd, memory, 0, length, address)
        if (count < length) throw Object.assign(new Error('the range is not mapped'), { code: 'EIO' })
      } finally {
        closeSync(fd)
      }
      return memory
    })
  }

  readEnvironment(pid: number): Reading<string> {
    return this.attempt(pid, () => readFileSync(`${this.root}/${pid}/environ`, 'latin1'))
  }

  readCommandLine(pid: number): Reading<string> {
    return this.attempt(pid, () => readFileSync(`${this.root}/${pid}/cmdline`, 'utf8'))
  }

  readOwner(pid: number): Reading<number> {
    return this.attempt(pid, () => statSync(`${this.root}/${pid}`).uid)
  }

  listPids(): readonly number[] {
    this.onRead()
    return parseNumbers(readdirSync(this.root))
  }

  keepOnly(pids: readonly number[]): void {
    this.keptPids = new Set(pids)
    for (const [path, { pid, fd }] of this.keptDescriptors) {
      if (this.keptPids.has(pid)) continue
      closeSync(fd)
      this.keptDescriptors.delete(path)
    }
  }

  close(): void {
    this.keepOnly([])
  }

  /** Read a file that the kernel hands over whole; those of a kept process stay open, bound to that process and no later one. */
  private readSmall(pid: number, path: string): Reading<string> {
    return this.attempt(pid, () => {
      const kept = this.keptDescriptors.get(path)
      const fd = kept?.fd ?? openSync(path, 'r')
      const isKept = this.keptPids.has(pid) && this.keptDescriptors.size < MAX_KEPT_DESCRIPTORS
      if (kept === undefined && isKept) this.keptDescriptors.set(path, { pid, fd })
      try {
        return this.readWhole(fd)
      } finally {
        if (!this.keptDescriptors.has(path)) closeSync(fd)
      }
    })
  }

  private readWhole(fd: number): string {
    let text = ''
    for (let at = 0; ; ) {
      const count = readSync(fd, this.buffer, 0, SMALL_FILE_BYTES, at)
      text += this.buffer.toString('latin1', 0, count)
      at += count
      // The kernel fills the buffer or is done, except for `children`, which only ends with an empty read.
      if (count === 0 || (count < SMALL_FILE_BYTES && text.endsWith('\n'))) return text
    }
  }

  private attempt<Value>(pid: number, read: () => Value): Reading<Value> {
    this.onRead()
    try {
      return { kind: 'value', value: read() }
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      // Through an open descriptor the kernel says ESRCH; by name a process that left and a missing file look alike.
      if (code === 'ESRCH') return GONE
      // Running out of descriptors says nothing about the process: a missing fact must not pass for a fact.
      if (code === 'EMFILE' || code === 'ENFILE' || code === 'ENOMEM') throw error
      return code === 'ENOENT' && !this.exists(pid) ? GONE : DENIED
    }
  }

  private exists(pid: number): boolean {
    try {
      return readFileSync(`${this.root}/${pid}/stat`, 'latin1') !== ''
    } catch {
      return false
    }
  }

  /** Kernels without CONFIG_PROC_CHILDREN lack the file; there, children are found by their parent's pid. */
  private probeChildrenFiles(): boolean {
    try {
      const [pid] = this.root === '/proc' ? [process.pid] : parseNumbers(readdirSync(this.root))
      readFileSync(`${this.root}/${pid}/task/${pid}/children`)
      return true
    } catch {
      return false
    }
  }

  private findChildren(parentPid: number): number[] {
    return this.listPids().filter((pid) => {
      const stat = this.readStat(pid)
      return stat.kind === 'value' && new RegExp(`\\) \\S ${parentPid} `).test(stat.value)
    })
  }
}

function parseNumbers(names: readonly string[]): number[] {
  return names
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .sort((a, b) => a - b)
}
