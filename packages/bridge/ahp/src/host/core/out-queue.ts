/** Messages for a connection that does not take them as fast as they come. Output of one terminal is merged. Sheet §13. */

export interface QueuedData {
  readonly kind: 'data'
  /** As the subscriber spells it. */
  readonly channel: string
  readonly data: string
  /** The highest of what was merged. */
  readonly serverSeq: number
}
export type QueuedMessage = { readonly kind: 'frame'; readonly text: string } | QueuedData

/** A merged message is not made larger than this, in UTF-16 units. */
const MAX_MERGED_UNITS = 1 << 20

export class OutQueue {
  private readonly messages: QueuedMessage[] = []
  private heldUnits = 0

  get isEmpty(): boolean {
    return this.messages.length === 0
  }

  /** UTF-16 units held. */
  get units(): number {
    return this.heldUnits
  }

  add(message: QueuedMessage): void {
    const last = this.messages.at(-1)
    const isMerged = message.kind === 'data' && last?.kind === 'data' && canMerge(last, message)
    if (isMerged) {
      this.messages[this.messages.length - 1] = {
        ...message,
        data: last.data + message.data,
      }
    } else this.messages.push(message)
    this.heldUnits += lengthOf(message)
  }

  take(): QueuedMessage | undefined {
    const message = this.messages.shift()
    if (message) this.heldUnits -= lengthOf(message)
    return message
  }

  clear(): void {
    this.messages.length = 0
    this.heldUnits = 0
  }
}

function canMerge(last: QueuedData, next: QueuedData): boolean {
  return last.channel === next.channel && last.data.length + next.data.length <= MAX_MERGED_UNITS
}

function lengthOf(message: QueuedMessage): number {
  return message.kind === 'frame' ? message.text.length : message.data.length
}
