/** The newest envelopes, bounded by number and by size, for clients that come back. Sheet §5.7 and §13. */
import type { ActionEnvelope } from '../../protocol/index.js'

export interface ReplayEntry {
  readonly envelope: ActionEnvelope
  /** Only this client may see it: a refusal, or input that is not shown to others. */
  readonly onlyFor: string | undefined
  readonly size: number
}

/** What an envelope weighs besides its text, roughly, in UTF-16 units. */
const OVERHEAD_UNITS = 128

export function sizeOf({ action }: ActionEnvelope): number {
  // A refused action is kept as it came, so its payload may be anything.
  const text: unknown = action.type === 'terminal/data' || action.type === 'terminal/input' ? action.data : undefined
  return OVERHEAD_UNITS + (typeof text === 'string' ? text.length : JSON.stringify(action).length)
}

export class ReplayBuffer {
  private entries: ReplayEntry[] = []
  private first = 0
  private units = 0
  /** Everything up to this number is no longer complete. */
  private lostUpTo = 0

  constructor(private readonly limits: { readonly maxEntries: number; readonly maxUnits: number }) {}

  get count(): number {
    return this.entries.length - this.first
  }

  add(envelope: ActionEnvelope, onlyFor?: string): void {
    const size = sizeOf(envelope)
    this.entries.push({ envelope, onlyFor, size })
    this.units += size
    while (this.count > this.limits.maxEntries || (this.units > this.limits.maxUnits && this.count > 0))
      this.dropOldest()
  }

  /** Whether nothing after `serverSeq` is missing. */
  reachesBackTo(serverSeq: number): boolean {
    return serverSeq >= this.lostUpTo
  }

  /** Envelopes above `serverSeq` on the given channels that the client may see, ascending. */
  since(serverSeq: number, channels: ReadonlySet<string>, clientId: string): readonly ActionEnvelope[] {
    return this.entries
      .slice(this.first)
      .filter(
        ({ envelope, onlyFor }) =>
          envelope.serverSeq > serverSeq &&
          channels.has(envelope.channel) &&
          (onlyFor === undefined || onlyFor === clientId),
      )
      .map(({ envelope }) => envelope)
  }

  private dropOldest(): void {
    const oldest = this.entries[this.first]
    if (!oldest) return
    this.units -= oldest.size
    this.lostUpTo = oldest.envelope.serverSeq
    this.first++
    if (this.first < 1_024 || this.first * 2 < this.entries.length) return
    this.entries = this.entries.slice(this.first)
    this.first = 0
  }
}
