/** The one place where a terminal changes state: pure, one function per state. */
import { isSameClaim, narrowClaim } from './claim.js'
import {
  type CloseFailed,
  type Closing,
  type Open,
  type Opening,
  OWNER_CLAIM,
  type Past,
  type SessionEffect,
  type SessionInput,
  type SessionState,
  type StopCause,
  type Transition,
} from './session-state.js'
import type { TerminalClaim } from './vocabulary.js'

const NO_STOP: StopCause = {}

function stay(state: SessionState): Transition {
  return { state, effects: [] }
}

/** What a stopped start rejects with: the caller's own reason first, whatever else went wrong. */
function stopError(stop: StopCause, otherwise: unknown): unknown {
  return stop.caller ? stop.caller.reason : otherwise
}

/**
 * Apply one input to a terminal.
 * @returns the next state and what the driver must do. Inputs that no longer apply change nothing.
 */
export function step(state: SessionState, input: SessionInput): Transition {
  switch (state.kind) {
    case 'opening':
      return stepOpening(state, input)
    case 'open':
      return stepOpen(state, input)
    case 'closing':
      return stepClosing(state, input)
    case 'close-failed':
      return stepCloseFailed(state, input)
    case 'closed':
      return stay(state)
  }
}

function stepOpening(state: Opening, input: SessionInput): Transition {
  switch (input.type) {
    case 'caller-aborted':
      return {
        state: { ...state, stop: { ...state.stop, caller: { reason: input.reason } } },
        effects: [{ type: 'abort-open', reason: input.reason }],
      }
    case 'lifecycle-ended':
      return {
        state: { ...state, stop: { ...state.stop, lifecycle: state.stop?.lifecycle ?? input.error } },
        effects: [{ type: 'abort-open', reason: state.stop?.caller ? state.stop.caller.reason : input.error }],
      }
    case 'process-exited':
      return stay({ ...state, exit: input.status })
    case 'backend-opened':
      return state.stop ? rollBack(state, state.stop) : publish(state)
    case 'backend-failed':
      return failOpening(state, input)
    case 'abort-overdue':
      if (!state.stop) return stay(state)
      return {
        state: { ...state, answered: true },
        effects: [
          ...answer(state.answered, stopError(state.stop, input.error)),
          { type: 'report-failure', error: input.error },
        ],
      }
    default:
      return stay(state)
  }
}

function answer(answered: boolean, error: unknown): readonly SessionEffect[] {
  return answered ? [] : [{ type: 'reject-open', error }]
}

function publish(state: Opening): Transition {
  const effects: SessionEffect[] = [{ type: 'publish' }]
  if (state.exit) effects.push({ type: 'keep-ended' })
  return { state: { kind: 'open', claim: OWNER_CLAIM, send: undefined, exit: state.exit }, effects }
}

function rollBack(state: Opening, stop: StopCause): Transition {
  return {
    state: {
      kind: 'closing',
      attempt: 1,
      stage: 'ending',
      past: { kind: 'unpublished', stop, answered: state.answered },
    },
    effects: [{ type: 'end-process', attempt: 1 }],
  }
}

function failOpening(state: Opening, input: Extract<SessionInput, { type: 'backend-failed' }>): Transition {
  const stop = state.stop ?? NO_STOP
  if (input.cleanupError === undefined) {
    return {
      state: { kind: 'closed', killed: false },
      effects: [
        ...answer(state.answered, stopError(stop, stop.lifecycle ?? input.error)),
        { type: 'finish', killed: false, wasPublished: false },
      ],
    }
  }
  return {
    state: {
      kind: 'close-failed',
      attempt: 1,
      error: input.cleanupError,
      past: { kind: 'unpublished', stop, answered: true },
    },
    effects: [
      ...answer(state.answered, stopError(stop, input.error)),
      { type: 'report-failure', error: input.cleanupError },
    ],
  }
}

function stepOpen(state: Open, input: SessionInput): Transition {
  switch (input.type) {
    case 'send-started': {
      if (state.send) return stay(state)
      const narrowedClaim = narrowClaim(state.claim, input)
      return changeClaim({ ...state, send: { sendId: input.sendId, narrowedClaim } }, narrowedClaim)
    }
    case 'send-settled':
      if (state.send?.sendId !== input.sendId) return stay(state)
      return changeClaim({ ...state, send: undefined }, widenedClaim(state))
    case 'claimed':
      return isDetaching(state, input.claim)
        ? withEffect(changeClaim(state, input.claim), { type: 'release-send' })
        : changeClaim(state, input.claim)
    case 'process-exited':
      if (state.exit) return stay(state)
      return {
        state: { ...state, exit: input.status },
        effects: [{ type: 'announce-exit', status: input.status }, { type: 'keep-ended' }],
      }
    case 'close-requested':
      return startClosing(1, { ...state, kind: 'published' })
    default:
      return stay(state)
  }
}

/** The owner's claim goes back to the background under the send that had narrowed it. */
function isDetaching({ claim, send }: Open, next: TerminalClaim): boolean {
  return send?.narrowedClaim !== undefined && isSameClaim(claim, send.narrowedClaim) && isSameClaim(next, OWNER_CLAIM)
}

function withEffect({ state, effects }: Transition, effect: SessionEffect): Transition {
  return { state, effects: [...effects, effect] }
}

/** @returns the claim to go back to after a send, or `undefined` when somebody changed it meanwhile. */
function widenedClaim({ claim, send }: Open): TerminalClaim | undefined {
  const narrowed = send?.narrowedClaim
  return narrowed && isSameClaim(claim, narrowed) ? OWNER_CLAIM : undefined
}

function changeClaim(state: Open, claim: TerminalClaim | undefined): Transition {
  if (!claim || isSameClaim(state.claim, claim)) return stay(state)
  return { state: { ...state, claim }, effects: [{ type: 'announce-claim', claim }] }
}

function startClosing(attempt: number, past: Past): Transition {
  if (past.kind === 'published' && past.send) {
    return {
      state: { kind: 'closing', attempt, stage: 'cancelling', past },
      effects: [{ type: 'cancel-send', attempt }],
    }
  }
  return { state: { kind: 'closing', attempt, stage: 'ending', past }, effects: [{ type: 'end-process', attempt }] }
}

function stepClosing(state: Closing, input: SessionInput): Transition {
  const { attempt, past } = state
  switch (input.type) {
    case 'caller-aborted':
      if (past.kind === 'published') return stay(state)
      return stay({ ...state, past: { ...past, stop: { ...past.stop, caller: { reason: input.reason } } } })
    case 'send-settled': {
      if (past.kind !== 'published' || past.send?.sendId !== input.sendId) return stay(state)
      const next = { ...state, past: { ...past, send: undefined } }
      return state.stage === 'cancelling' ? endProcess(next) : stay(next)
    }
    case 'send-overdue':
      return state.stage === 'cancelling' && input.attempt === attempt ? endProcess(state) : stay(state)
    case 'process-exited':
      if (past.kind !== 'published' || past.exit) return stay(state)
      return {
        state: { ...state, past: { ...past, exit: input.status } },
        effects: [{ type: 'announce-exit', status: input.status }],
      }
    case 'close-succeeded':
      return finish(past, input.killed)
    case 'close-failed':
      return input.attempt === attempt ? failClosing(state, input.error) : stay(state)
    default:
      return stay(state)
  }
}

function endProcess(state: Closing): Transition {
  return { state: { ...state, stage: 'ending' }, effects: [{ type: 'end-process', attempt: state.attempt }] }
}

function finish(past: Past, killed: boolean): Transition {
  const effects: SessionEffect[] = []
  if (past.kind === 'unpublished') effects.push(...answer(past.answered, stopError(past.stop, past.stop.lifecycle)))
  effects.push({ type: 'finish', killed, wasPublished: past.kind === 'published' })
  return { state: { kind: 'closed', killed }, effects }
}

function failClosing({ attempt, past }: Closing, error: unknown): Transition {
  const answers = past.kind === 'unpublished' ? answer(past.answered, stopError(past.stop, error)) : []
  const left: Past = past.kind === 'unpublished' ? { ...past, answered: true } : past
  return {
    state: { kind: 'close-failed', attempt, error, past: left },
    effects: [...answers, { type: 'report-failure', error }],
  }
}

function stepCloseFailed(state: CloseFailed, input: SessionInput): Transition {
  const { past } = state
  switch (input.type) {
    case 'close-requested':
    case 'lifecycle-ended':
      return startClosing(state.attempt + 1, past)
    case 'close-succeeded':
      // The attempt had been given up as overdue and ended after all.
      return finish(past, input.killed)
    case 'send-settled':
      if (past.kind !== 'published' || past.send?.sendId !== input.sendId) return stay(state)
      return stay({ ...state, past: { ...past, send: undefined } })
    case 'process-exited':
      if (past.kind !== 'published' || past.exit) return stay(state)
      return {
        state: { ...state, past: { ...past, exit: input.status } },
        effects: [{ type: 'announce-exit', status: input.status }],
      }
    default:
      return stay(state)
  }
}
