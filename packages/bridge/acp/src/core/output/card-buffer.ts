/**
 * Output of one card between the program and the client: bounded, whatever either of them does. The head is streamed; of
 * what exceeds the budget only the end is kept, for a last word. Sheet OUT-4, OUT-5, OUT-9, OUT-12.
 */
import { utf8Length } from '@agent-terminals/text'
import { takeWhole } from './sequence.js'
import { type Held, NOTHING_HELD, releaseHeld, splitWhole } from './whole-text.js'

export interface CardLimits {
  /** UTF-8 bytes of one card, head and end together. */
  readonly maxCardBytes: number
  /** UTF-8 bytes of that which belong to the end of an output that is too long. */
  readonly tailBytes: number
  /** UTF-16 units of one message. */
  readonly maxChunkUnits: number
}

const LIMIT_REACHED = '\x1b[0m\r\n[output limit reached: the end follows when the command has ended]\r\n'
const countOmitted = (bytes: number) => `\x1b[0m[${bytes.toLocaleString('en-US')} bytes left out]\r\n`

export class CardBuffer {
  private held: Held = NOTHING_HELD
  /** Ready to be sent, in order. */
  private pending: string[] = []
  private pendingLength = 0
  private headRoom: number
  /** What came after the head: all of it until it exceeds its room, then its end. */
  private tail = ''
  private tailTotalBytes = 0
  private isCut = false
  private lastUnit = '\n'

  constructor(private readonly limits: CardLimits) {
    this.headRoom = limits.maxCardBytes - limits.tailBytes
  }

  /** UTF-16 units waiting to be taken. */
  get waitingUnits(): number {
    return this.pendingLength
  }

  /** Whether what has been shown ends with a line end; true before anything was. */
  get endsLine(): boolean {
    return this.lastUnit === '\n'
  }

  push(piece: string): void {
    const { whole, held } = splitWhole(this.held, piece)
    this.held = held
    this.admit(whole)
  }

  /** The next message's text; empty when there is none. */
  take(): string {
    let part = this.pending.shift() ?? ''
    while (part.length < this.limits.maxChunkUnits) {
      const next = this.pending[0]
      if (next === undefined || part.length + next.length > this.limits.maxChunkUnits) break
      part += next
      this.pending.shift()
    }
    if (part.length > this.limits.maxChunkUnits) {
      const head = takeWhole(part, this.limits.maxChunkUnits)
      this.pending.unshift(part.slice(head.length))
      part = head
    }
    this.pendingLength -= part.length
    return part
  }

  /** No more output will come: make everything that is left ready, the end of a cut output included. */
  finish(): void {
    this.admit(releaseHeld(this.held))
    this.held = NOTHING_HELD
    if (this.isCut) {
      const kept = this.keepTail()
      this.enqueue(countOmitted(this.tailTotalBytes - utf8Length(kept)))
      this.enqueue(kept)
    } else {
      this.enqueue(this.tail)
    }
    this.tail = ''
  }

  /** A line of our own, on a line of its own. Not subject to the budget. */
  note(text: string): void {
    this.enqueue(`${this.endsLine ? '' : '\r\n'}${text.replace(/\r?\n/g, '\r\n')}\r\n`)
  }

  private admit(text: string): void {
    if (text === '') return
    const bytes = utf8Length(text)
    if (this.tailTotalBytes === 0 && bytes <= this.headRoom) {
      this.headRoom -= bytes
      this.enqueue(text)
      return
    }
    this.tail += text
    this.tailTotalBytes += bytes
    if (!this.isCut && this.tailTotalBytes > this.limits.tailBytes) {
      this.isCut = true
      this.enqueue(LIMIT_REACHED)
    }
    // Trimmed only when it has doubled, so that a flood of small pieces costs per byte and not per piece.
    if (this.tail.length > 2 * this.limits.tailBytes) this.tail = this.tail.slice(-this.limits.tailBytes)
  }

  /** The end of the output, from the beginning of a line on if there is one. */
  private keepTail(): string {
    let text = this.tail.slice(-this.limits.tailBytes)
    while (utf8Length(text) > this.limits.tailBytes) text = text.slice(Math.ceil(text.length / 8))
    const line = text.indexOf('\n')
    if (line !== -1 && line < text.length - 1) return text.slice(line + 1)
    return text.replace(/^[\udc00-\udfff]/, '')
  }

  private enqueue(text: string): void {
    if (text === '') return
    this.pending.push(text)
    this.pendingLength += text.length
    this.lastUnit = text.slice(-1)
  }
}
