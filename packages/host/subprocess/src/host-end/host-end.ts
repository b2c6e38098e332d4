import type { ProcessIdentity } from '../contract.js'

/** Name of the variable that every process below one host carries in its initial environment. */
export const HOST_TAG_VARIABLE = 'AGENT_TERMINALS_HOST'

/**
 * What makes terminals end with their host, however it ends. Shared by all services of one host process; the first
 * guarded terminal starts the watcher process, the last release of a membership ends it.
 */
export interface HostEnd {
  /** Value of `AGENT_TERMINALS_HOST` for every child: random per host process. */
  readonly tag: string
  /**
   * Include a terminal in the clean-up at the host's end. Starts the watcher on first use, without waiting for it.
   * @returns a release, called when the terminal has ended. Idempotent.
   */
  guard(root: ProcessIdentity, sessionTag: string): () => void
  /** Leave. Resolves when the watcher has exited, if this was the last membership. Idempotent. */
  close(): Promise<void>
}
