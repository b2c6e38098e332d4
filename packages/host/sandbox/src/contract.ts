/** The sandbox contract: which mode an agent's processes run in, and how a command line is confined. */
import type { SessionLog } from '@agent-terminals/agents/contract'
import type {} from '@deepseek-ai/cordis'

export const SANDBOX_MODES = ['read-only', 'workspace-write', 'danger-full-access'] as const
export type SandboxMode = (typeof SANDBOX_MODES)[number]

/** The boundary of one process, fixed when it starts. */
export interface SandboxPolicy {
  readonly mode: SandboxMode
  /** Absolute, symlinks resolved. */
  readonly workspaceRoot: string
  readonly network: 'allow' | 'deny'
}

/** Whose policy: an owner with its session log. Without a log the deployment's default applies. */
export interface SandboxSubject {
  readonly session?: SessionLog
}

/** `ctx.sandboxPolicy` */
export interface SandboxPolicyService {
  /** The policy in force: the deployment's, overridden by the session's last `sandbox/mode` and `sandbox/workspace` events. */
  resolve(subject: SandboxSubject): SandboxPolicy
  /**
   * Change a session's mode by a logged `sandbox/mode` event. Appending that event directly passes the same check.
   * @throws SandboxError `MODE_IN_USE` when the effective mode would change while a fence holds it; nothing is logged then.
   */
  setMode(session: SessionLog, mode: SandboxMode): void
  /**
   * Be asked before every change of a session's effective mode. A returned string refuses it: the reason, and what to close.
   * @returns a release.
   */
  fence(check: (session: SessionLog) => string | undefined): () => void
}

/** What a confinement leaves open, for whoever works inside. */
export interface ConfinedAccess {
  /** Directories in which files can be written, absolute, as they are called inside. The temporary one is not among them. */
  readonly writable: readonly string[]
  /** Where temporary files go (`TMPDIR`), as it is called inside: writable, this confinement's own, removed by `release`. */
  readonly temporaryDirectory?: string
  readonly network: SandboxPolicy['network']
}

/** A command line wrapped once, with what must outlive it. */
export interface ConfinedCommand {
  readonly argv: readonly [file: string, ...args: string[]]
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly runner: string
  /** Whether ending the wrapper ends every descendant (a pid namespace). */
  readonly endsDescendants: boolean
  /** Absent when the sandbox cannot say. */
  readonly access?: ConfinedAccess
  /** Remove private files of this confinement. Call when the process is gone. */
  release(): Promise<void>
}

/** What a runner can do here, found by running it. */
export interface RunnerProbe {
  readonly runner: string
  readonly usable: boolean
  readonly network: boolean
  readonly detail: string
  /** What it cannot keep in, or what is different inside, one sentence each. */
  readonly limits: readonly string[]
  /** What to do when it is not usable here, one sentence. Absent when it is usable, or is not for this platform. */
  readonly advice?: string
}

/** Codes of failures a caller can branch on. */
export const SANDBOX_ERROR_CODES = [
  'MODE_INVALID',
  'MODE_IN_USE',
  'WORKSPACE_INVALID',
  'CWD_HIDDEN',
  'NO_RUNNER',
] as const
export type SandboxErrorCode = (typeof SANDBOX_ERROR_CODES)[number]

/** `ctx.sandbox` */
export interface SandboxService {
  /**
   * Wrap a command line for a confined mode.
   * @throws SandboxError `NO_RUNNER` with what was tried and one step to fix it. Never a weaker mode in silence.
   * @throws SandboxError `WORKSPACE_INVALID` when the workspace root is no longer the directory that was permitted.
   * @throws SandboxError `CWD_HIDDEN` when `cwd` cannot be had inside.
   */
  confine(
    argv: readonly [string, ...string[]],
    policy: SandboxPolicy,
    options?: {
      /** Absolute paths that must stay readable inside, where a runner would hide them (below the temporary directory). */
      readonly visible?: readonly string[]
      /** Directory in which the command starts, absolute. It is visible inside, or the confinement is refused. */
      readonly cwd?: string
    },
  ): Promise<ConfinedCommand>
  probes(): Promise<readonly RunnerProbe[]>
}

declare module '@deepseek-ai/cordis' {
  interface Context {
    sandbox: SandboxService
    sandboxPolicy: SandboxPolicyService
  }
}

declare module '@agent-terminals/agents/contract' {
  interface SessionEventMap {
    'sandbox/mode': { readonly mode: SandboxMode }
    /**
     * Narrows what the session's `workspace-write` may write, for good: an absolute directory, symlinks resolved, inside the
     * workspace root in force. Anything else is refused with `WORKSPACE_INVALID`, and `MODE_IN_USE` while a fence holds it.
     */
    'sandbox/workspace': { readonly workspaceRoot: string }
  }
}
