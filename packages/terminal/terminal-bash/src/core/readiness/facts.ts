/**
 * Facts about one send, each with the monotonic time in milliseconds at which it was seen. They hold no text of the
 * terminal, so a recorded trail can be shown and kept without giving anything away.
 */

/** A thread proven to wait for input from this terminal. */
export interface WaitSeen {
  readonly pid: number
  readonly tid: number
  readonly call: 'read' | 'poll' | 'epoll'
  /** Grows whenever the thread has been woken. */
  readonly wakeups: number
  /** Other descriptors the same call watches; a caller that watches some may be busy with them. */
  readonly others?: number
  /** How long the call was asked to wait at most. Absent: without limit, or not known. */
  readonly timeoutMs?: number
  /** Nothing within the process can end the wait. */
  readonly sole?: boolean
}

/** A look at the process group that holds the terminal. */
export interface Look {
  readonly pgid: number
  /** Whether that group is the shell's own. */
  readonly isShell: boolean
  readonly waits: readonly WaitSeen[]
  /** Whether waits could have been proven. Without that their absence means nothing. */
  readonly waitsKnown: boolean
  /** Everything that was written to the terminal before `waits` were seen is among the facts before this look. */
  readonly outputRead?: boolean
  readonly pids: readonly number[]
  /** CPU time of the whole group so far. */
  readonly cpuMs: number
  readonly uninterruptible: boolean
  /** A member runs, or would if it got a processor: on a busy machine its CPU time may hardly grow. */
  readonly runnable?: boolean
  readonly timedSleep: boolean
  /** A member has been stopped by a signal. */
  readonly stopped: boolean
  /** The group is led by a copy of the shell: one that is about to become the program, or a subshell. */
  readonly isShellCopy?: boolean
  /** What has taken the shell's place by `exec`, when something has. */
  readonly replacedBy?: 'shell' | 'program'
}

/** What the line under the cursor looks like, without its text. */
export interface LineShape {
  readonly isEmpty: boolean
  /** It ends as prompts and questions do. */
  readonly isPrompt: boolean
  /** It ends as the prompts of line editors in REPLs do. */
  readonly isEditorPrompt: boolean
  /** The same text stood there when an earlier send of this terminal found the program waiting. */
  readonly isKnown: boolean
}

export const NO_LINE: LineShape = { isEmpty: true, isPrompt: false, isEditorPrompt: false, isKnown: false }

export interface Attributes {
  readonly echo: boolean
  readonly canonical: boolean
}

/**
 * What was typed: nothing, text without Enter, one line, or several. Several may run as several commands, each followed
 * by a prompt.
 */
export type InputShape = 'none' | 'partial' | 'line' | 'lines'

/**
 * Where the shell stands, told by its own marks. `doubtful`: a prompt was drawn, but not the end of the command before it told.
 * `fed`: the prompt has been answered with the next line of the input. `lost`: the marks say nothing about the present.
 */
export type PromptPhase =
  | 'starting'
  | 'prompt'
  | 'continuation'
  | 'running'
  | 'between'
  | 'fed'
  | 'doubtful'
  | 'exiting'
  | 'lost'

export interface StartFact {
  readonly type: 'start'
  readonly at: number
  readonly input: InputShape
  /** The input ends in a lone Escape, which may be the start of a longer key: a program waits for the rest of it for a while. */
  readonly endsInEscape?: boolean
  readonly phase: PromptPhase
  /** The look taken before anything was written. A wait in it is not an answer to the input. */
  readonly before?: Look
  readonly alternateScreen: boolean
  readonly bracketedPaste: boolean
  /** The program has placed the cursor freely, as one that draws a screen does. */
  readonly addressing: boolean
  /** The program has put the cursor keys into application mode, as readers of single keys do and line editors do not. */
  readonly keypad: boolean
  /** The program has hidden the cursor, as a menu does that shows the place of the next key itself. */
  readonly cursorHidden?: boolean
}

export type Fact =
  | StartFact
  /** The kernel has taken all input. */
  | { readonly type: 'written'; readonly at: number }
  | { readonly type: 'shell'; readonly at: number; readonly event: ShellSeen }
  | { readonly type: 'output'; readonly at: number; readonly printed: boolean; readonly redrawOnly: boolean }
  | {
      readonly type: 'mode'
      readonly at: number
      readonly mode: 'alternate-screen' | 'bracketed-paste' | 'addressing' | 'keypad' | 'cursor-hidden'
      readonly on: boolean
    }
  | { readonly type: 'look'; readonly at: number; readonly look?: Look; readonly line: LineShape }
  | { readonly type: 'attributes'; readonly at: number; readonly attributes?: Attributes }
  | { readonly type: 'exit'; readonly at: number }

/** A shell mark, and where the shell stands after it. */
export interface ShellSeen {
  readonly mark: 'prompt-start' | 'prompt-end' | 'continuation' | 'command-start' | 'command-end' | 'exiting'
  readonly phase: PromptPhase
  readonly exitCode?: number
}
