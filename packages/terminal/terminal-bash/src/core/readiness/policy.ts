/** Times and permissions that a verdict obeys, in milliseconds. */
export interface ReadinessPolicy {
  /** Longest pause between two looks; up to four times that after `OLD_NEWS_MS` without news. */
  readonly pollIntervalMs: number
  /** Shortest pause between two looks: 0 where a look costs microseconds, more where it starts a program (`ps`). */
  readonly leastPauseMs: number
  /** Kernel evidence counts this long after the input was taken, and no sooner. */
  readonly exactProbeAfterMs: number
  readonly idleSilenceMs: number
  /** Added to the silence after a prompt mark, so that an exact attribution on the boundary still wins. */
  readonly handoffGraceMs: number
  readonly timeoutMs: number
  /** Longest wait while the program only redraws one line. */
  readonly redrawPatienceMs: number
  /** Whether silence may settle. Not at start-up, and not while a cancelled program is awaited. */
  readonly acceptsSilence: boolean
  /** Whether a program waiting for input may settle. At start-up only the shell's prompt does. */
  readonly acceptsPrograms: boolean
}

/**
 * Input travels to the program through a kernel work queue, and a program that takes single keys may have been woken by the first of
 * them only: its wait counts so long after the kernel has taken the input; measured here, it never took longer.
 */
export const CONFIRM_MS = 6
/**
 * Where it is not certain that everything written before the wait has been read, the wait must stay unchanged and without output for
 * so long; longer where a screen or a line editor is to be drawn, which comes in pieces.
 */
export const UNREAD_CONFIRM_MS = 25
export const UNREAD_DRAWN_CONFIRM_MS = 60
/**
 * A wait that was asked to last less than this is a glance: what comes after it may be work. The shorter bound is for programs
 * that draw a screen, which redraw it by the clock (`top -d 0.5`).
 */
export const GLANCE_MS = 1_000
export const DRAWN_GLANCE_MS = 250
/** The same after a lone Escape: for so long ncurses waits for the rest of a key, unless told otherwise (`ESCDELAY`, ncurses(3X)). */
export const ESCAPE_GLANCE_MS = 1_000
/** The same for an event loop that draws no screen: spinners turn at least this fast. */
export const LOOP_GLANCE_MS = 250
/** Glances at the terminal, one after the other and nothing else, count after one more time of this length. */
export const GLANCES_QUIET_MS = 500
/** An event loop looks the same waiting and busy: its wait must last longer. */
export const LOOP_CONFIRM_MS = 100
/** … unless it shows a line editor's prompt, or one that it waited at before. */
export const LOOP_PROMPT_CONFIRM_MS = 15
/** … or has hidden the cursor: a menu stays still while it waits, a spinner turns. */
export const LOOP_STILL_CONFIRM_MS = 250
/** A wait this old is worth asking for the settings that tell its kind, so that they are there when it is confirmed. */
export const ASK_EARLY_MS = 1
/** At its own prompt the shell owes us marks. After this long in a renewed wait without them, the wait itself counts. */
export const MISSING_MARK_MS = 150
/** Output with shorter gaps is one stream. */
export const STREAM_GAP_MS = 20
/**
 * A gap in a stream says less the longer the stream has lasted: the first look after its last byte waits for a twentieth of
 * that, and no longer than this.
 */
export const STREAM_PAUSE_SHARE = 1 / 20
export const STREAM_PAUSE_MS = 10
/** For so long after a prompt mark, looks follow each other at every turn of the event loop. */
export const PROMPT_RUSH_MS = 1
/** Text without Enter does not wake a program that reads whole lines: after this long its old wait counts. */
export const PARTIAL_LINE_MS = 60
/** Quiet after a prompt mark where nothing can prove that the shell waits. */
export const MARK_QUIET_MS = 20
/** The same when several lines were typed: the next one may start. */
export const MARK_QUIET_LINES_MS = 80
/**
 * Quiet, without evidence of work, after which a program that has drawn the alternate screen and does not read the terminal itself
 * counts as ready: its keys are read by another process, as tmux does.
 */
export const DRAWN_QUIET_MS = 500
/** Quiet after which echo switched off counts as a question, where waits cannot be read (`sudo`, macOS). */
export const HIDDEN_QUIET_MS = 300
/** A stopped member must stay so: a shell with job control takes the terminal back within a few milliseconds. */
export const STOPPED_MS = 120
/** Span over which CPU time is compared, and the use in it that counts as work: above the clock's own 10 ms grain. */
export const CPU_SPAN_MS = 500
export const CPU_WORK_MS = 30
/** After so long without news a few milliseconds more matter less than what waiting costs. */
export const OLD_NEWS_MS = 250
/** Evidence of work younger than this makes a wait that ran out `busy`. */
export const WORK_MEMORY_MS = 1_000
