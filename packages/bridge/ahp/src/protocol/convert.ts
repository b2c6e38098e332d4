/** Between the internal model (1.0.0) and what a negotiated version has on the wire. Pure, at the edge only. Sheet §4. */
import type { Action, ActionEnvelope } from './actions.js'
import { asList, isRecord, withoutNulls } from './frames.js'
import type { RootState, Snapshot, TerminalClaim, TerminalInfo, TerminalState } from './shapes.js'
import { isRootUri } from './uri.js'
import type { WireShape } from './versions.js'

// ---------------------------------------------------------------------------------------------------------------- down

function downClaim(claim: TerminalClaim): unknown {
  if (claim.kind !== 'session') return claim
  const { chat: _chat, ...rest } = claim
  return rest
}

function downLifecycle<Value extends Pick<TerminalState, 'lifecycle' | 'claim'>>(value: Value): unknown {
  const { lifecycle, claim, ...rest } = value
  const exitCode = lifecycle.status === 'exited' ? lifecycle.exitCode : undefined
  return { ...rest, claim: downClaim(claim), ...(exitCode === undefined ? {} : { exitCode }) }
}

export function downTerminalState(state: TerminalState, shape: WireShape): unknown {
  return shape === 'lifecycle' ? state : downLifecycle(state)
}

export function downRootState(state: RootState, shape: WireShape): unknown {
  if (shape === 'lifecycle' || !state.terminals) return state
  return { ...state, terminals: state.terminals.map(downLifecycle) }
}

export function downAction(action: Action, shape: WireShape): unknown {
  if (shape === 'lifecycle') return action
  if (action.type === 'terminal/claimed') return { ...action, claim: downClaim(action.claim) }
  if (action.type === 'root/terminalsChanged') return { ...action, terminals: action.terminals.map(downLifecycle) }
  return action
}

/** Whether an action looks different from shape to shape. */
export function dependsOnShape(action: Pick<Action, 'type'>): boolean {
  return action.type === 'terminal/claimed' || action.type === 'root/terminalsChanged'
}

// ------------------------------------------------------------------------------------------------------------------ up

/** Old session claims name no chat: the session stands for its only one. */
function upClaim(value: unknown): unknown {
  if (!isRecord(value) || value.kind !== 'session' || value.chat !== undefined) return value
  return { ...value, chat: value.session }
}

function upLifecycle(value: unknown): unknown {
  if (!isRecord(value)) return value
  const { exitCode, ...rest } = value
  const lifecycle = value.lifecycle ?? (exitCode === undefined ? { status: 'running' } : { status: 'exited', exitCode })
  return { ...rest, lifecycle, claim: upClaim(value.claim) }
}

/**
 * A terminal state from the wire. Kinds and keys of later versions pass through unchanged, so the type is a promise of the
 * host rather than a proof.
 * @returns `undefined` when it is no terminal state at all.
 */
export function upTerminalState(wire: unknown, shape: WireShape): TerminalState | undefined {
  const value = withoutNulls(wire)
  if (!isRecord(value) || !Array.isArray(value.content)) return undefined
  return (shape === 'exit-code' ? upLifecycle(value) : value) as unknown as TerminalState
}

export function upRootState(wire: unknown, shape: WireShape): RootState | undefined {
  const value = withoutNulls(wire)
  if (!isRecord(value)) return undefined
  const terminals = asList(value.terminals).map((each) => (shape === 'exit-code' ? upLifecycle(each) : each))
  return { ...value, agents: asList(value.agents), terminals: terminals as readonly TerminalInfo[] }
}

/** An envelope from the wire. @returns `undefined` when it is none. */
export function upEnvelope(wire: unknown, shape: WireShape): ActionEnvelope | undefined {
  const value = withoutNulls(wire)
  if (!isRecord(value) || typeof value.channel !== 'string' || !Number.isInteger(value.serverSeq)) return undefined
  const { action } = value
  if (!isRecord(action) || typeof action.type !== 'string') return undefined
  const lifted = shape === 'exit-code' ? upAction(action) : action
  return { ...value, action: lifted } as unknown as ActionEnvelope
}

function upAction(action: Readonly<Record<string, unknown>>): unknown {
  if (action.type === 'terminal/claimed') return { ...action, claim: upClaim(action.claim) }
  if (action.type === 'root/terminalsChanged') {
    return { ...action, terminals: asList(action.terminals).map(upLifecycle) }
  }
  return action
}

/** A snapshot from the wire. The reducer is chosen by the URI, never by the keys of the state. */
export function upSnapshot(wire: unknown, shape: WireShape): Snapshot | undefined {
  if (!isRecord(wire) || typeof wire.resource !== 'string' || !Number.isInteger(wire.fromSeq)) return undefined
  const state = isRootUri(wire.resource) ? upRootState(wire.state, shape) : upTerminalState(wire.state, shape)
  return state && { resource: wire.resource, state, fromSeq: Number(wire.fromSeq) }
}

/** A claim that a client sends: from before 0.9 it has no chat, and the session stands for its only one. */
export function upClientClaim(wire: unknown, shape: WireShape): unknown {
  return shape === 'exit-code' ? upClaim(wire) : wire
}

export function downClientClaim(claim: TerminalClaim, shape: WireShape): unknown {
  return shape === 'exit-code' ? downClaim(claim) : claim
}
