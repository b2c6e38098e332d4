/** What `/proc/<pid>/task/<tid>/status` says about one thread: proc_pid_status(5). */
export interface ThreadStatus {
  /** One letter, as in stat. */
  readonly state: string
  /** Times the thread gave up the processor to wait. */
  readonly voluntarySwitches: number
}

/** @returns `undefined` when either fact is missing. */
export function parseThreadStatus(text: string): ThreadStatus | undefined {
  const state = /^State:\s+(\S)/m.exec(text)?.[1]
  const switches = /^voluntary_ctxt_switches:\s+(\d+)/m.exec(text)?.[1]
  if (state === undefined || switches === undefined) return undefined
  return { state, voluntarySwitches: Number(switches) }
}
