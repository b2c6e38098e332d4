import { createDarwinInspector } from './darwin.js'
import type { Inspector } from './inspector.js'
import { createLinuxInspector } from './linux.js'
import type { ProcessTable } from './process-table.js'
import type { PsRunner } from './run-ps.js'
import { createUnknownInspector } from './unknown.js'

export type { Inspector } from './inspector.js'
export { createLinuxTable } from './linux-table.js'
export type { ProcessTable } from './process-table.js'
export type { PsRunner } from './run-ps.js'
export { type ForegroundSignalOutcome, signalForegroundGroup } from './signal-foreground.js'

export interface InspectorOptions {
  /** `process.platform` of the world the terminal runs in. */
  readonly platform: string
  /** `process.arch` of that world; selects the system call table. */
  readonly arch: string
  /** The process that node-pty started. */
  readonly rootPid: number
  /** Device of the slave side. Without it only `/dev/tty` is recognised as this terminal. */
  readonly ttyPath: string | undefined
  /** Linux: where facts come from. Default: `/proc`. The inspector owns it and closes it. */
  readonly processTable?: ProcessTable
  /** macOS: runs `ps`. Default: the system's. */
  readonly runPs?: PsRunner
}

/** The inspector for a platform. Never throws: a platform without evidence gets an inspector that says so. */
export function createInspector(options: InspectorOptions): Inspector {
  switch (options.platform) {
    case 'linux':
      return createLinuxInspector(options)
    case 'darwin':
      return createDarwinInspector(options)
    default:
      return createUnknownInspector(options.platform)
  }
}
