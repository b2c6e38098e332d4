/** One tool call as ACP v1 messages: a pure step per event. Sheet §4 (life cycle), §5 (what readers do), §7 (rules). */
import type { Announcement, CallEvent, Ending, Exit } from '../call-event.js'
import type { Gate } from '../gate.js'
import { renderConsoleBlock, renderTextBlock } from '../text/console-block.js'
import { announceCall, changeStatus, endCard, registerCard } from './messages.js'
import type { ToolMessage } from './updates.js'

/** How a call is shown. Decided with its first message: a terminal cannot be added later (REG-1). */
export type CallForm = 'card' | 'console' | 'text'

export type CallState =
  | { readonly phase: 'open'; readonly callId: string; readonly form: CallForm; readonly wasPermitted: boolean }
  /** The call has its final status, its program goes on. */
  | { readonly phase: 'detached'; readonly callId: string }
  | { readonly phase: 'ended' }

/**
 * What to send, in order. Output goes through the card's own buffer: `finish` says that no more will come, `drain` sends
 * all that is in it.
 */
export type Outgoing =
  | { readonly kind: 'message'; readonly message: ToolMessage }
  | { readonly kind: 'output'; readonly text: string }
  | { readonly kind: 'finish' }
  | { readonly kind: 'notice'; readonly text: string }
  | { readonly kind: 'drain' }

export interface StepResult {
  readonly state: CallState
  readonly outgoing: readonly Outgoing[]
}

const ENDED: CallState = { phase: 'ended' }
const UNKNOWN: Exit = { exitCode: null, signal: null }
const send = (message: ToolMessage): Outgoing => ({ kind: 'message', message })

export function announce(call: Announcement, gate: Gate): StepResult {
  const form = call.terminal === undefined ? 'text' : gate.kind === 'cards' ? 'card' : 'console'
  const status = call.isPending ? 'pending' : 'in_progress'
  const message = form === 'card' ? registerCard(call, status) : announceCall(call, status)
  return {
    state: { phase: 'open', callId: call.callId, form, wasPermitted: !call.isPending },
    outgoing: [send(message)],
  }
}

/** @param maxBlockBytes - UTF-8 bytes inside a text block. */
export function stepCall(
  state: CallState,
  event: Exclude<CallEvent, { kind: 'announced' }>,
  maxBlockBytes: number,
): StepResult {
  switch (state.phase) {
    case 'open':
      return stepOpen(state, event, maxBlockBytes)
    case 'detached':
      return stepDetached(state, event)
    case 'ended':
      return { state, outgoing: [] }
  }
}

type Open = Extract<CallState, { phase: 'open' }>

function stepOpen(state: Open, event: Exclude<CallEvent, { kind: 'announced' }>, maxBlockBytes: number): StepResult {
  const { callId, form } = state
  switch (event.kind) {
    case 'permitted':
      if (state.wasPermitted) return { state, outgoing: [] }
      return { state: { ...state, wasPermitted: true }, outgoing: [send(changeStatus(callId, 'in_progress'))] }
    case 'output':
      return { state, outgoing: form === 'card' ? [{ kind: 'output', text: event.text }] : [] }
    case 'handed-over': {
      if (form === 'card') {
        return { state: { phase: 'detached', callId }, outgoing: [send(changeStatus(callId, 'completed'))] }
      }
      const block = renderTextBlock(event.text, maxBlockBytes)
      return { state: ENDED, outgoing: [send(changeStatus(callId, 'completed', block))] }
    }
    case 'concluded':
      return { state: ENDED, outgoing: conclude(state, event.ending, maxBlockBytes) }
    case 'exited':
      return { state, outgoing: [] }
  }
}

function conclude({ callId, form }: Open, ending: Ending, maxBlockBytes: number): readonly Outgoing[] {
  if (form === 'card') return closeCard(callId, ending, ending.status)
  const block =
    form === 'console' ? renderConsoleBlock(ending, maxBlockBytes) : renderTextBlock(ending.text, maxBlockBytes)
  return [send(changeStatus(callId, ending.status, block))]
}

function stepDetached({ callId }: Extract<CallState, { phase: 'detached' }>, event: CallEvent): StepResult {
  const state: CallState = { phase: 'detached', callId }
  switch (event.kind) {
    case 'output':
      return { state, outgoing: [{ kind: 'output', text: event.text }] }
    case 'exited':
      return { state: ENDED, outgoing: closeCard(callId, event) }
    default:
      return { state, outgoing: [] }
  }
}

/** Everything that was printed, then our own lines, then status and exit together, last and once (EXIT-1, OUT-6). */
function closeCard(
  callId: string,
  end: { readonly exit: Exit; readonly notice?: string; readonly unstreamed?: string },
  status?: 'completed' | 'failed',
): readonly Outgoing[] {
  return [
    { kind: 'finish' },
    ...[end.unstreamed, end.notice].flatMap((text) => (text === undefined ? [] : [{ kind: 'notice', text } as const])),
    { kind: 'drain' },
    send(endCard(callId, end.exit, status)),
  ]
}

/** Close whatever is still open: the turn, the session or the connection ends. STATUS-4. */
export function abandon(state: CallState, notice: string, maxBlockBytes: number): StepResult {
  const ending: Ending = { status: 'failed', exit: UNKNOWN, notice, text: '' }
  if (state.phase === 'detached') return stepCall(state, { kind: 'exited', exit: UNKNOWN, notice }, maxBlockBytes)
  return stepCall(state, { kind: 'concluded', ending }, maxBlockBytes)
}
