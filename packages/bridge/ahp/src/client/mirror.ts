/** A client's copy of one channel: pure, one value per state. Sheet §5.3 and §11. */
import {
  type ActionEnvelope,
  boundContent,
  boundParts,
  type RootAction,
  type RootState,
  reduceRoot,
  reduceTerminal,
  type Snapshot,
  type TerminalAction,
  type TerminalState,
} from '../protocol/index.js'

export type ChannelState = RootState | TerminalState

export type Mirror<State extends ChannelState = ChannelState> =
  /** Asked for; envelopes that came before the snapshot wait for it. */
  | { readonly kind: 'loading'; readonly held: readonly ActionEnvelope[] }
  /** `seq`: everything up to it is in `state`. */
  | { readonly kind: 'live'; readonly state: State; readonly seq: number }
  /** The channel does not exist any more. */
  | { readonly kind: 'gone'; readonly state: State | undefined }

export const LOADING: Mirror<never> = { kind: 'loading', held: [] }

/** How one kind of channel is kept. Chosen by the URI, never by what a state looks like. */
export interface MirrorKind<State extends ChannelState> {
  readonly reduce: (state: State, action: ActionEnvelope['action']) => State
}

export const ROOT_MIRROR: MirrorKind<RootState> = {
  reduce: (state, action) => reduceRoot(state, action as RootAction),
}

/** @param maxUnits - UTF-16 units of output kept. Both sides may trim on their own. */
export function terminalMirror(maxUnits: number): MirrorKind<TerminalState> {
  return {
    reduce(state, action) {
      const next = reduceTerminal(state, action as TerminalAction)
      const { content: grown } = next
      const content = action.type === 'terminal/data' ? boundContent(grown, maxUnits) : boundParts(grown)
      return content === grown ? next : { ...next, content }
    },
  }
}

/** What has changed: nothing, when an envelope was a refusal, old, or without effect on this state. */
export interface MirrorStep<State extends ChannelState> {
  readonly mirror: Mirror<State>
  /** Envelopes that are now part of the state, in order. */
  readonly applied: readonly ActionEnvelope[]
}

export function applySnapshot<State extends ChannelState>(
  mirror: Mirror<State>,
  { state, fromSeq }: Snapshot,
  kind: MirrorKind<State>,
): MirrorStep<State> {
  const live: Mirror<State> = { kind: 'live', state: state as State, seq: fromSeq }
  const held = mirror.kind === 'loading' ? mirror.held : []
  return held.reduce<MirrorStep<State>>(
    (step, envelope) => {
      const next = applyEnvelope(step.mirror, envelope, kind)
      return { mirror: next.mirror, applied: [...step.applied, ...next.applied] }
    },
    { mirror: live, applied: [] },
  )
}

/** A refused action is news and not state, whoever it was meant for. */
export function applyEnvelope<State extends ChannelState>(
  mirror: Mirror<State>,
  envelope: ActionEnvelope,
  kind: MirrorKind<State>,
): MirrorStep<State> {
  if (mirror.kind === 'loading') return { mirror: { kind: 'loading', held: [...mirror.held, envelope] }, applied: [] }
  if (mirror.kind === 'gone' || envelope.serverSeq <= mirror.seq) return { mirror, applied: [] }
  if (envelope.rejectionReason !== undefined) {
    return { mirror: { ...mirror, seq: envelope.serverSeq }, applied: [] }
  }
  const state = kind.reduce(mirror.state, envelope.action)
  return { mirror: { kind: 'live', state, seq: envelope.serverSeq }, applied: [envelope] }
}

export function loseChannel<State extends ChannelState>(mirror: Mirror<State>): Mirror<State> {
  return { kind: 'gone', state: mirror.kind === 'loading' ? undefined : mirror.state }
}
