/** One send: what is asked, how it looks while it runs, and the one way it ends. */
import type { SessionStatus, Unseen } from '../core/index.js'
import type { InputPiece, OutputPattern, ScreenSnapshot } from '../views.js'
import type { PromptDetection, TerminalState, TerminalWaitReason } from './vocabulary.js'

export interface SendRequest {
  /** UTF-8 text, sent as it is: nothing is appended to it, nothing stripped. */
  readonly text: string
  /** Whether Enter (`\r`) follows the text. An empty text without Enter only waits. */
  readonly submit: boolean
  /** Input that follows the text, in order, before Enter. @throws TerminalError `KEY_UNKNOWN`, before anything is written. */
  readonly keys?: readonly InputPiece[]
  /** Return as soon as new output, not the echo of the input, has a line that matches. */
  readonly waitFor?: OutputPattern
  /** Longest wait in milliseconds, bounded by the backend's configuration. */
  readonly timeoutMs?: number
  /** Aborting before the write writes nothing; afterwards the foreground program is interrupted. */
  readonly signal?: AbortSignal
  /**
   * Raw terminal output while the send is active, escapes included, never cut inside a code point. A backend that knows where
   * they are leaves out the shell's prompts and the line editor's echo.
   */
  readonly onOutput?: (text: string) => void
  /**
   * Rendered output while the send is active: each finished line once, newline included, as the viewport would hold it (no
   * escapes, prompts or echo). A line that a program moves back up to and redraws comes again. A backend that cannot tell
   * finished lines leaves it out.
   */
  readonly onText?: (text: string) => void
  /** The terminal's state as it changes while the send is active. */
  readonly onState?: (state: SendProgress) => void
  /** Narrows the claim to this tool call while the send is active. */
  readonly toolCallId?: string
  readonly turnId?: string
}

/** How a send in flight looks from outside. */
export interface SendProgress {
  readonly state: TerminalState
  /** Milliseconds without new output. */
  readonly quietMs: number
  /** Last line of output, without escapes: the question, when the program asks one. */
  readonly lastLine: string
}

/** Bounded rendered output of one send. */
export interface Viewport {
  readonly text: string
  /** Lines and UTF-8 bytes left out of the middle. Both 0 when nothing is missing. */
  readonly omittedLines: number
  readonly omittedBytes: number
}

export interface SendResult {
  readonly viewport: Viewport
  readonly waitReason: TerminalWaitReason
  readonly sessionStatus: SessionStatus
  /** Whether this result lacks output that was produced during the send. */
  readonly truncated: boolean
  readonly state: TerminalState
  readonly promptDetection: PromptDetection
  /** From the last byte written to the verdict, in milliseconds. */
  readonly elapsedMs: number
  /** Exit code of the command that finished during this send. */
  readonly exitCode?: number
  /** Run time of that command in milliseconds. */
  readonly durationMs?: number
  readonly cwd?: string
  /** Command name of the foreground program, when it is not the shell. */
  readonly foreground?: string
  /** Milliseconds without output, when the state is `busy` or `quiet`. */
  readonly quietMs?: number
  /** Milliseconds for which output has only redrawn one line. */
  readonly redrawingMs?: number
  /** Input bytes the program has not taken. */
  readonly pendingInputBytes?: number
  /** The line that `waitFor` found. */
  readonly matched?: string
  /** What a full-screen program shows, where the backend keeps screens. */
  readonly screen?: ScreenSnapshot
  /** What happened since the send before this one had returned: in no send's output, but in `read`. Added by the service. */
  readonly unseen?: Unseen
  /** Short sentences about what could not be known or was done differently. */
  readonly notes: readonly string[]
}

/** How a cancelled send was stopped. */
export interface Interruption {
  /** `none`: nothing had been written. Otherwise the last step that was needed. */
  readonly delivered: 'none' | 'SIGINT' | 'SIGTERM' | 'SIGKILL' | 'failed'
  readonly targetPgid?: number
}

/** The one way a send ends. */
export type SendOutcome =
  | { readonly kind: 'settled'; readonly result: SendResult }
  | {
      readonly kind: 'cancelled'
      /** The caller's own reason, unchanged. */
      readonly reason: unknown
      readonly interruption: Interruption
      readonly viewport: Viewport
      readonly sessionStatus: SessionStatus
    }
  | { readonly kind: 'failed'; readonly error: Error }

/** A send in flight. It holds the session's only send reservation until `outcome` settles. */
export interface TerminalSend {
  /** Never rejects. After a cancel it settles once the interruption has been delivered, so no successor can be hit by it. */
  readonly outcome: Promise<SendOutcome>
  /** Whether output belongs to the send already: a backend may look around before it writes. Absent: from the beginning. */
  readonly hasBegun?: boolean
  cancel(reason: unknown): void
  /**
   * Stop waiting and settle as if the time were up, with the note in the result. The program is left alone and goes on. Nothing
   * happens before the write or once an interruption is under way. A backend that cannot do this leaves it out.
   */
  release?(note: string): void
  progress(): SendProgress
}
