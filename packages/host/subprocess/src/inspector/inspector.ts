import type { EvidenceSources, ForegroundInspection } from '../contract.js'

/** What one operating system can tell about the processes that hold a terminal. One inspector belongs to one terminal. */
export interface Inspector {
  readonly sources: EvidenceSources
  /** Foreground process group of the terminal; `undefined` when the platform cannot tell or the top-level process is gone. */
  foregroundGroup(): Promise<number | undefined>
  /** Full look at the foreground group; `undefined` when the platform cannot tell or the top-level process is gone. */
  inspect(): Promise<ForegroundInspection | undefined>
  /** Release kept descriptors. Later calls answer `undefined`. Idempotent. */
  close(): void
}
