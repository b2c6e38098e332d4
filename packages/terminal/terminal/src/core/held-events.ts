/** Backend events that wait for a terminal's publication, bounded so that a flooding start cannot fill the memory. */

interface Sized {
  readonly type: string
  readonly bytes?: Uint8Array
}

/** At most this much output is held; older output is dropped first. It stays readable in the scrollback. */
export const MAX_HELD_BYTES = 1 << 20

export class HeldEvents<Event extends Sized> {
  private readonly events: Event[] = []
  private heldBytes = 0

  constructor(private readonly maxBytes = MAX_HELD_BYTES) {}

  /** @param event - its bytes are borrowed: copied here. */
  add(event: Event): void {
    this.events.push(event.bytes === undefined ? event : { ...event, bytes: new Uint8Array(event.bytes) })
    this.heldBytes += event.bytes?.length ?? 0
    while (this.heldBytes > this.maxBytes) this.dropOldestOutput()
  }

  /** @returns what was held, in order, and holds nothing any more. */
  drain(): readonly Event[] {
    this.heldBytes = 0
    return this.events.splice(0)
  }

  private dropOldestOutput(): void {
    const oldest = this.events.findIndex((each) => each.bytes !== undefined)
    this.heldBytes -= this.events[oldest]?.bytes?.length ?? 0
    this.events.splice(oldest, 1)
  }
}
