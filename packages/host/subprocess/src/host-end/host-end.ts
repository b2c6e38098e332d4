import type { ProcessIdentity } from '../contract.js'

/** Name of the variable that every process below one host carries in its initial environment. */
export const HOST_TAG_VARIABLE = 'AGENT_TERMINALS_HOST'

/**
 * What makes terminals end with their host, however it ends. Shared by all services of one host process; the first
 * guarded terminal starts the watcher process, and the last service to leave dismisses it.
 *
 * Normal exit and an uncaught exception are met by a sweep at the `exit` event, a signal or a hard kill by the watcher;
 * no signal handler is installed. Not covered: programs that left the terminal's session *and* replaced or overwrote
 * their environment, setuid programs and other users' processes when the host is not root, and the end of the whole
 * machine or control group, where the watcher ends as well. macOS shows the environment of unprotected programs only:
 * there, what ignores the hang-up of a hard-killed host can stay.
 */
export interface HostEnd {
  /** Value of `AGENT_TERMINALS_HOST` for every child: random per host process, and names it (`host-tag.ts`). */
  readonly tag: string
  /**
   * Include a terminal in the clean-up at the host's end. Starts the watcher on first use, without waiting for it.
   * Call it in the same turn in which the process was started.
   * @returns a release, called when the terminal's processes have ended. Idempotent.
   */
  guard(root: ProcessIdentity): () => void
  /** Leave. Resolves when the watcher has exited, if this was the last member. Idempotent. */
  close(): Promise<void>
}
