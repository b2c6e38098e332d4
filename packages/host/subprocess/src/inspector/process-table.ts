/** What an attempt to read a fact about a process came to. `denied` also stands for a kernel that does not offer the file. */
export type Reading<Value> =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'gone' }
  | { readonly kind: 'denied' }

/**
 * The facts of Linux's procfs that inspection needs, unparsed: proc(5). Injected so that tests can present other
 * machines. Reads are synchronous: each takes microseconds and never waits for a device. They throw only when this
 * process has run out of descriptors or memory.
 */
export interface ProcessTable {
  /** `/proc/<pid>/stat` */
  readStat(pid: number): Reading<string>
  /** `/proc/<pid>/task/<tid>/syscall` */
  readSyscall(pid: number, tid: number): Reading<string>
  /** `/proc/<pid>/task/<tid>/status` */
  readStatus(pid: number, tid: number): Reading<string>
  /** Thread ids of a process, ascending. */
  listThreads(pid: number): Reading<readonly number[]>
  /** `/proc/<pid>/task/<tid>/children`: pids of the processes that this thread started. */
  readChildren(pid: number, tid: number): Reading<string>
  /** Target of `/proc/<pid>/fd/<fd>`. */
  readDescriptor(pid: number, fd: number): Reading<string>
  /** Whether a descriptor of a process is the device at `path`, whatever name it was opened by. */
  isSameDevice(pid: number, fd: number, path: string): boolean
  /** `/proc/<pid>/fdinfo/<fd>` */
  readDescriptorInfo(pid: number, fd: number): Reading<string>
  /** Bytes of `/proc/<pid>/mem`; fewer than `length` counts as denied. */
  readMemory(pid: number, address: number, length: number): Reading<Uint8Array>
  /** `/proc/<pid>/environ`: the initial environment, NUL-separated. */
  readEnvironment(pid: number): Reading<string>
  /** `/proc/<pid>/cmdline`: the arguments, NUL-separated. */
  readCommandLine(pid: number): Reading<string>
  /** User id of a process: who owns `/proc/<pid>`. */
  readOwner(pid: number): Reading<number>
  /** All pids of the machine, ascending. Not while a terminal is looked at. */
  listPids(): readonly number[]
  /** Keep descriptors of these processes' hot files open, within a bound, and of no others: rereading is several times cheaper. */
  keepOnly(pids: readonly number[]): void
  /** Close every kept descriptor. */
  close(): void
}
