/**
 * The subprocess contract: what `ctx.subprocess` offers, as types only.
 *
 * Whatever provides this key (ours starts node-pty processes on this machine) must keep these promises; the terminal
 * family imports this module and nothing else of the package.
 */
import type {} from '@deepseek-ai/cordis'

/** A process, named so that reuse of its pid can never redirect a signal. */
export interface ProcessIdentity {
  readonly pid: number
  /** Start time in the platform's own unit (clock ticks since boot on Linux, `lstart` text on macOS). Compare, never compute. */
  readonly startTime: string
}

/** Signals that may be delivered to a terminal's foreground process group. Seed, "Six model-facing tools"; `SIGCONT` resumes. */
export type TerminalSignal = 'SIGINT' | 'SIGTERM' | 'SIGKILL' | 'SIGTSTP' | 'SIGHUP' | 'SIGCONT'

/** How the top-level process ended. */
export type ExitOutcome =
  | { readonly kind: 'code'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: string }

/** Terminal dimensions in character cells. */
export interface TerminalSize {
  readonly columns: number
  readonly rows: number
}

/** What to start on a new PTY. */
export interface SpawnTerminalSpec {
  /** Absolute executable path first; never interpreted by a shell. */
  readonly argv: readonly [file: string, ...args: string[]]
  /** Absolute path of an existing directory. */
  readonly cwd: string
  /** Merged over `environment()`; `undefined` removes a name. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly size: TerminalSize
  /** `TERM` of the child. */
  readonly terminalType: string
  /** Aborting before the process exists rejects with the signal's own reason and leaves nothing behind. */
  readonly signal?: AbortSignal
}

/** What a blocked thread waits in, reduced to what matters for a terminal. */
export interface TtyWait {
  readonly pid: number
  readonly tid: number
  /** `read` blocks in a read-like call; `poll` in poll or select; `epoll` in an event loop that also watches other things. */
  readonly call: 'read' | 'poll' | 'epoll'
  /** Voluntary context switches of the thread: a larger value later means that it woke in between. */
  readonly wakeups: number
  /** How many other descriptors the same call watches, for whatever. Absent when none. */
  readonly others?: number
  /** How long the call was asked to wait at most, in milliseconds. Absent when without limit, or when that is not known. */
  readonly timeoutMs?: number
  /**
   * Nothing within the process can end the wait: it has no limit, what else the call watches is the process's own (an eventfd, a pipe
   * that it holds both ends of), every other thread sleeps in the same way or waits for another thread without limit, and where the
   * call watches anything else there is no child to write to it. Timers that send a signal (alarm(2), timer_create(2)) cannot be seen.
   */
  readonly sole?: boolean
}

/** One member of the foreground process group. */
export interface ForegroundMember {
  readonly identity: ProcessIdentity
  readonly command: string
  readonly state: 'running' | 'sleeping' | 'uninterruptible' | 'stopped' | 'zombie' | 'unknown'
  /** CPU time used so far by all threads, in milliseconds. */
  readonly cpuMs: number
  /** Blocked in a timed sleep (`nanosleep` and the like). `undefined` when it could not be read. */
  readonly timedSleep?: boolean
}

/** A look at what holds the terminal. A fact that could not be read is absent, never guessed. */
export interface ForegroundInspection {
  /** Foreground process group of the tty. */
  readonly pgid: number
  /** Whether that group is the top-level process's own. */
  readonly isTopLevel: boolean
  readonly members: readonly ForegroundMember[]
  /** Threads of the group proven to wait for input from this terminal. Empty when none, or when nothing can prove it. */
  readonly waits: readonly TtyWait[]
  /** Whether `waits` could have been proven at all: false on macOS, for foreign-uid programs, on unknown architectures. */
  readonly waitsKnown: boolean
  /**
   * Everything that was written to the terminal before `waits` were seen has been handed to the listener. Absent when that is not
   * certain: while paused, in a flood, where the platform cannot tell, and when there are no waits.
   */
  readonly outputRead?: boolean
}

/** Line-discipline settings that decide how input is taken. */
export interface TerminalAttributes {
  readonly echo: boolean
  /** Canonical mode: the kernel hands over whole lines, at most `maxCanonicalBytes` long. */
  readonly canonical: boolean
  /** Whether the line discipline turns ^C into SIGINT. */
  readonly signals: boolean
}

/** Which evidence this world can give. The doctor prints it, a session snapshot carries it. */
export interface EvidenceSources {
  readonly inspector: 'linux' | 'darwin' | 'unknown'
  readonly foreground: boolean
  readonly ttyWaits: boolean
  readonly attributes: boolean
  /** Why something is missing, one sentence each. */
  readonly notes: readonly string[]
}

/** A live process of a terminal. */
export interface TerminalMember extends ProcessIdentity {
  readonly command: string
}

/** A process that was still there when termination gave up. */
export interface Survivor extends ProcessIdentity {
  readonly command: string
}

/** A process tree that could not be ended. Calling `terminate` again tries again. */
export interface TerminationFailure extends Error {
  readonly code: 'SURVIVORS'
  readonly survivors: readonly Survivor[]
}

/** The process side of one terminal. */
export interface SubprocessTerminal {
  readonly pid: number
  /** Device path of the slave side (`/dev/pts/4`), when it can be known. */
  readonly ttyPath: string | undefined
  /** Longest line a canonical reader of this terminal can receive, in bytes: 4096 on Linux, 1024 on macOS, newline included. */
  readonly maxCanonicalBytes: number

  /**
   * Receive output bytes in order. One listener; it owns the chunk. Bytes that arrive before it is attached are kept, up
   * to a bound beyond which the program is held back; they are handed over after this call has returned.
   * @param options.borrows - the listener copies what it keeps: a chunk is its own only until it returns. Saves an allocation per
   *   chunk where the provider makes use of it.
   * @returns a release that detaches the listener.
   */
  onOutput(listener: (chunk: Uint8Array) => void, options?: { readonly borrows?: boolean }): () => void
  /** Stop reading; the kernel then holds the program back. Idempotent. */
  pause(): void
  resume(): void

  /**
   * Queue bytes for the program. Resolves once the kernel has taken all of them, in order with other writes.
   * @param signal - aborting drops what the kernel has not taken yet and rejects with the signal's reason.
   * @throws SubprocessError `EXITED` when the terminal has ended.
   */
  write(data: Uint8Array | string, signal?: AbortSignal): Promise<void>
  /** Bytes queued that the kernel has not taken yet. */
  readonly pendingInputBytes: number
  resize(size: TerminalSize): void

  /**
   * How the top-level process ended. Settles after the last output byte has been handed to the listener, if there is one;
   * what is left at the exit is bounded and comes even while paused. Does not wait for background processes. Never rejects.
   */
  readonly exited: Promise<ExitOutcome>
  /** The same once known. */
  readonly exit: ExitOutcome | undefined

  readonly sources: EvidenceSources
  /**
   * Cheap look: which process group holds the terminal.
   * @returns `undefined` when the platform cannot tell or the process is gone.
   */
  foregroundGroup(): Promise<number | undefined>
  /**
   * Full look at the foreground group. Costs a few file reads per group member, nothing per other process.
   * @returns `undefined` when the platform cannot tell or the process is gone.
   */
  inspect(): Promise<ForegroundInspection | undefined>
  attributes(): Promise<TerminalAttributes | undefined>
  /** Working directory of the top-level process, when readable. */
  workingDirectory(): Promise<string | undefined>

  /**
   * Deliver a real signal to the group that holds the terminal at this moment.
   * @returns the group that was signalled.
   * @throws SubprocessError `NO_FOREGROUND` when the group cannot be determined: nothing is signalled on a guess.
   * @throws SubprocessError `EXITED` when the terminal has ended, `SIGNAL_FAILED` when the system refuses.
   * @throws SubprocessError `SHELL_KILL` for `SIGKILL` on the top-level process's own group.
   */
  signalForeground(signal: TerminalSignal): Promise<{ readonly pgid: number }>

  /**
   * Live processes of this terminal, wherever they have gone: its background jobs, and what left the tree or the session.
   * The top-level process, `beside` and the ancestors of `beside` are left out. Works after the exit, too. Reads the whole
   * process table: ask at the end of something, not while it runs. Absent where it cannot be known.
   * @param beside - pid of the program that is meant to run, when it is not the top-level process itself (a sandbox's wrapper).
   */
  members?(beside?: number): Promise<readonly TerminalMember[]>

  /**
   * End the whole tree: hang-up, terminate, kill, with rescans, by exact identity; resolves when no live member remains.
   * Joins a termination under way; after a failure it starts a new attempt.
   * @param options.graceMs - time between terminate and kill for programs that do not leave.
   * @throws TerminationFailure naming the survivors.
   */
  terminate(options: { readonly graceMs: number }): Promise<TerminationReport>
}

/** What a successful termination had to do. */
export interface TerminationReport {
  /** Processes ended beside the top-level one. */
  readonly ended: number
  /** Whether any member had to be killed. */
  readonly forced: boolean
}

/** Codes of failures a caller can branch on. */
export const SUBPROCESS_ERROR_CODES = [
  'CWD_MISSING',
  'CWD_NOT_A_DIRECTORY',
  'EXECUTABLE_MISSING',
  'PTY_UNAVAILABLE',
  'UNSUPPORTED_PLATFORM',
  'EXITED',
  'NO_FOREGROUND',
  'SHELL_KILL',
  'SIGNAL_FAILED',
  'DISPOSED',
] as const
export type SubprocessErrorCode = (typeof SUBPROCESS_ERROR_CODES)[number]

/** `ctx.subprocess` */
export interface SubprocessService {
  /**
   * Value of `AGENT_TERMINALS_HOST` in the environment of everything this service starts: what still carries it after the
   * end of the service has been left behind. Absent where children cannot be marked.
   */
  readonly hostTag?: string
  /** A fresh copy of the base environment for children: the host's, without credential-shaped names and our own variables. */
  environment(): Record<string, string>
  /**
   * Find an executable by name on the base environment's PATH, or check an absolute path.
   * @throws SubprocessError `EXECUTABLE_MISSING` naming what was looked for and where.
   */
  resolveExecutable(name: string): Promise<string>
  /**
   * Start a process on a new PTY.
   * @throws SubprocessError with `CWD_MISSING`, `CWD_NOT_A_DIRECTORY`, `EXECUTABLE_MISSING`, `PTY_UNAVAILABLE`, `UNSUPPORTED_PLATFORM` or `DISPOSED`.
   */
  spawnTerminal(spec: SpawnTerminalSpec): Promise<SubprocessTerminal>
}

declare module '@deepseek-ai/cordis' {
  interface Context {
    subprocess: SubprocessService
  }
}
