/** The one order of everything: numbers envelopes over all channels and remembers the newest. Sheet §8.1. */
import {
  type Action,
  type ActionEnvelope,
  dependsOnShape,
  downAction,
  type Origin,
  renderNotification,
  type WireShape,
} from '../protocol/index.js'
import { ReplayBuffer } from './core/index.js'

export interface EnvelopeOptions {
  readonly origin?: Origin | undefined
  readonly rejectionReason?: string | undefined
  /** The only client that may see it. */
  readonly onlyFor?: string | undefined
}

export class ActionStream {
  private lastSeq = 0
  private readonly replay: ReplayBuffer

  constructor(limits: { readonly maxEntries: number; readonly maxUnits: number }) {
    this.replay = new ReplayBuffer(limits)
  }

  get serverSeq(): number {
    return this.lastSeq
  }

  /** Number an action and remember it. */
  append(channel: string, action: Action, { origin, rejectionReason, onlyFor }: EnvelopeOptions): ActionEnvelope {
    const envelope: ActionEnvelope = {
      channel,
      action,
      serverSeq: ++this.lastSeq,
      ...(origin === undefined ? {} : { origin }),
      ...(rejectionReason === undefined ? {} : { rejectionReason }),
    }
    this.replay.add(envelope, onlyFor)
    return envelope
  }

  /** Whether a client that has seen everything up to `serverSeq` can be given the rest. */
  canReplayFrom(serverSeq: number): boolean {
    return serverSeq <= this.lastSeq && this.replay.reachesBackTo(serverSeq)
  }

  since(serverSeq: number, channels: ReadonlySet<string>, clientId: string): readonly ActionEnvelope[] {
    return this.replay.since(serverSeq, channels, clientId)
  }
}

/** An envelope as subscribers of one shape and spelling see it. */
export function toWire(envelope: ActionEnvelope, spelling: string, shape: WireShape): object {
  return { ...envelope, channel: spelling, action: downAction(envelope.action, shape) }
}

/** One envelope as text, made at most once per shape and spelling however many subscribers there are. */
export class Rendering {
  private readonly texts = new Map<string, string>()

  constructor(readonly envelope: ActionEnvelope) {}

  textFor(spelling: string, shape: WireShape): string {
    const key = dependsOnShape(this.envelope.action) ? `${shape} ${spelling}` : spelling
    const known = this.texts.get(key)
    if (known !== undefined) return known
    const text = renderNotification('action', toWire(this.envelope, spelling, shape))
    this.texts.set(key, text)
    return text
  }
}
