/**
 * The life of one send, as a value and one pure step. Events carry what has happened; effects say what the driver must do
 * next. A settled send takes no more events.
 */

import type { ReadyState } from '../readiness/state.js'
import type { ReadyReason } from '../readiness/verdict.js'

/** Signals of the ladder that ends what a cancelled send has started. */
export type InterruptSignal = 'SIGINT' | 'SIGTERM' | 'SIGKILL'

/** A program may miss one interrupt, or use it to leave an inner loop: it gets a second before stronger signals. */
export const LADDER: readonly InterruptSignal[] = ['SIGINT', 'SIGINT', 'SIGTERM', 'SIGKILL']
/**
 * A shell in front for so long is at work itself (a loop of its own): what comes in front after its interrupt belongs to that, such as
 * the commands of a trap. Before, it may only be about to start the command.
 */
const SHELL_AT_WORK_MS = 50
/** How often the ladder starts again because another program has taken the terminal meanwhile. */
const MAX_RESTARTS = 3

export interface ReadyVerdict {
  readonly reason: ReadyReason
  readonly state: ReadyState
  readonly notes: readonly string[]
}

/** The group an interruption went to. */
export interface Target {
  readonly pgid?: number
  /** The shell's own group never gets more than SIGINT. */
  readonly isShell: boolean
  /** It was a copy of the shell, which may have been about to become the program: what that is, has not got the signal then. */
  readonly isShellCopy?: boolean
  /** Nothing was sent: the program that was to get it has gone, and the shell behind it may be about to take the next input. */
  readonly isSpared?: boolean
}

interface InFront {
  readonly pgid: number
  readonly isShell: boolean
  readonly isShellCopy: boolean
}

/** The last signal that was really sent. */
interface Delivery {
  readonly signal: InterruptSignal
  readonly pgid?: number
}

interface Interruption {
  readonly reason: unknown
  readonly rung: number
  readonly restarts: number
  readonly last?: Delivery
  /** The shell itself was at work when the cancel came. */
  readonly isShellAtWork: boolean
}

/** Looks, one after the other, found the shell itself in front. Milliseconds of the clock. */
interface ShellInFront {
  readonly since: number
  readonly until: number
}

export type SendState =
  /** Nothing has been written yet. */
  | { readonly kind: 'preparing' }
  /** The kernel has not taken all input. */
  | { readonly kind: 'writing' }
  | { readonly kind: 'waiting'; readonly shell?: ShellInFront }
  /** A signal is being delivered. The program may yield before the delivery is known to have settled. */
  | ({ readonly kind: 'interrupting'; readonly hasYielded: boolean } & Interruption)
  /** The signal has been delivered; the program has not yielded. */
  | ({ readonly kind: 'draining'; readonly target: Target } & Interruption)
  | { readonly kind: 'settled' }

export type SendEvent =
  | { readonly type: 'planned' }
  | { readonly type: 'written' }
  | { readonly type: 'failed'; readonly error: unknown }
  | { readonly type: 'ready'; readonly verdict: ReadyVerdict }
  | { readonly type: 'cancel'; readonly reason: unknown }
  | { readonly type: 'delivered'; readonly target: Target }
  | { readonly type: 'undelivered' }
  | { readonly type: 'yielded' }
  /** A look found this group to hold the terminal. */
  | ({ readonly type: 'in-front'; readonly at: number } & InFront)
  /** The program had its time; this group holds the terminal now. */
  | { readonly type: 'grace-over'; readonly pgid?: number }

type InFrontEvent = Extract<SendEvent, { type: 'in-front' }>

export type SendEffect =
  /** Drop input that has not been read: ours, and what the kernel holds. */
  | { readonly type: 'drop-input' }
  | { readonly type: 'deliver'; readonly signal: InterruptSignal; readonly before?: Target }
  | { readonly type: 'arm-grace' }
  | { readonly type: 'settle'; readonly outcome: Settlement }

export type Settlement =
  | { readonly kind: 'settled'; readonly verdict: ReadyVerdict }
  | {
      readonly kind: 'cancelled'
      readonly reason: unknown
      readonly delivered: 'none' | InterruptSignal | 'failed'
      readonly pgid?: number
    }
  | { readonly kind: 'failed'; readonly error: unknown }

export interface Step {
  readonly state: SendState
  readonly effects: readonly SendEffect[]
}

const stay = (state: SendState): Step => ({ state, effects: [] })
const settle = (outcome: Settlement): Step => ({ state: { kind: 'settled' }, effects: [{ type: 'settle', outcome }] })

export function step(state: SendState, event: SendEvent): Step {
  switch (state.kind) {
    case 'preparing':
      return stepPreparing(state, event)
    case 'writing':
    case 'waiting':
      return stepActive(state, event)
    case 'interrupting':
      return stepInterrupting(state, event)
    case 'draining':
      return stepDraining(state, event)
    case 'settled':
      return stay(state)
  }
}

function stepPreparing(state: SendState, event: SendEvent): Step {
  switch (event.type) {
    case 'planned':
      return stay({ kind: 'writing' })
    case 'failed':
      return settle({ kind: 'failed', error: event.error })
    case 'cancel':
      return settle({ kind: 'cancelled', reason: event.reason, delivered: 'none' })
    default:
      return stay(state)
  }
}

function stepActive(state: SendState, event: SendEvent): Step {
  switch (event.type) {
    case 'written':
      return stay({ kind: 'waiting' })
    case 'failed':
      return settle({ kind: 'failed', error: event.error })
    case 'ready':
      return settle({ kind: 'settled', verdict: event.verdict })
    case 'in-front':
      return state.kind === 'waiting' ? stay(noteInFront(state, event)) : stay(state)
    case 'cancel': {
      const isShellAtWork = state.kind === 'waiting' && isAtWork(state.shell)
      return {
        state: { kind: 'interrupting', reason: event.reason, rung: 0, restarts: 0, isShellAtWork, hasYielded: false },
        effects: [{ type: 'drop-input' }, { type: 'deliver', signal: signalOf(0) }],
      }
    }
    default:
      return stay(state)
  }
}

function noteInFront(
  { kind, shell }: Extract<SendState, { kind: 'waiting' }>,
  { isShell, at }: InFrontEvent,
): SendState {
  return isShell ? { kind, shell: { since: shell?.since ?? at, until: at } } : { kind }
}

const isAtWork = (shell: ShellInFront | undefined): boolean =>
  shell !== undefined && shell.until - shell.since >= SHELL_AT_WORK_MS

function stepInterrupting(state: Extract<SendState, { kind: 'interrupting' }>, event: SendEvent): Step {
  switch (event.type) {
    case 'yielded':
      return stay({ ...state, hasYielded: true })
    case 'delivered': {
      const { reason, rung, restarts, isShellAtWork } = state
      const { target } = event
      const last = target.isSpared ? state.last : { signal: signalOf(rung), ...pick(target) }
      const interruption = { reason, rung, restarts, isShellAtWork, ...(last ? { last } : {}) }
      if (state.hasYielded) return settleCancelled(interruption)
      return {
        state: { kind: 'draining', ...interruption, target },
        effects: [{ type: 'drop-input' }, { type: 'arm-grace' }],
      }
    }
    case 'undelivered':
      return settle({ kind: 'cancelled', reason: state.reason, delivered: 'failed' })
    case 'ready':
      // The shell itself has ended meanwhile: nothing is left to interrupt.
      return settleCancelled(state)
    default:
      return stay(state)
  }
}

function stepDraining(state: Extract<SendState, { kind: 'draining' }>, event: SendEvent): Step {
  switch (event.type) {
    case 'yielded':
    case 'ready':
      return settleCancelled(state)
    case 'in-front':
      return hasStarted(state, event) ? climb(state, event.pgid) : stay(state)
    case 'grace-over':
      return climb(state, event.pgid)
    default:
      return stay(state)
  }
}

/** The signal came to the shell, or to its copy, just before that became the program in front, which knows nothing of it. */
function hasStarted({ target, isShellAtWork }: Extract<SendState, { kind: 'draining' }>, now: InFront): boolean {
  if (now.isShell) return false
  if (now.pgid !== target.pgid) return target.isShell && !isShellAtWork
  return target.isShellCopy === true && !now.isShellCopy
}

/** The next rung for the same program, the first one for a program that took the terminal in its place. */
function climb(state: Extract<SendState, { kind: 'draining' }>, pgid: number | undefined): Step {
  const { reason, target, last, isShellAtWork } = state
  const isNewProgram = pgid !== undefined && pgid !== target.pgid
  const isFresh = (isNewProgram || target.isSpared === true) && state.restarts < MAX_RESTARTS
  const rung = isFresh ? 0 : state.rung + 1
  const isOver = rung >= LADDER.length || (!isFresh && target.isShell && signalOf(rung) !== 'SIGINT')
  if (isOver) return settle({ kind: 'cancelled', reason, delivered: 'failed', ...pick(target) })
  const restarts = state.restarts + (isFresh ? 1 : 0)
  return {
    state: {
      kind: 'interrupting',
      reason,
      rung,
      restarts,
      isShellAtWork,
      ...(last ? { last } : {}),
      hasYielded: false,
    },
    effects: [{ type: 'drop-input' }, { type: 'deliver', signal: signalOf(rung), before: target }],
  }
}

function settleCancelled({ reason, rung, last }: Interruption): Step {
  return settle({ kind: 'cancelled', reason, delivered: last?.signal ?? signalOf(rung), ...(last ? pick(last) : {}) })
}

const pick = ({ pgid }: Pick<Target, 'pgid'>): { pgid?: number } => (pgid === undefined ? {} : { pgid })

function signalOf(rung: number): InterruptSignal {
  return LADDER[rung] ?? 'SIGKILL'
}
