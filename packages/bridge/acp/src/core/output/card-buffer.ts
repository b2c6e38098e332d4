/**
 * Output of one card between the program and the client: bounded, whatever either of them does. The head is streamed; of
 * what exceeds the budget only the end is kept, for a last word. Sheet OUT-4, OUT-5, OUT-9, OUT-12.
 */
import { utf8Length } from '@agent-terminals/text'
import { takeWhole } from './sequence.js'
import { type Held, NOTHING_HELD, releaseHeld, repairText, splitWhole } from './whole-text.js'

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
    // Of what is cut nearly all will be thrown away: only what is left of it is worth a look.
    if (this.isCut) {
      this.keep(piece)
      return
    }
    const { whole, held } = splitWhole(this.held, piece)
    this.held = held
    this.admit(whole)
  }

  /** The next message's text; empty when there is none. */
  take(): string {
    let part = this.pending.shift() ?? ''
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
    if (!this.isCut) this.admit(this.takeHeld())
    if (this.isCut) {
      const kept = repairText(this.endOfTail())
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
    this.keep(text)
    if (this.isCut || this.tailTotalBytes <= this.limits.tailBytes) return
    this.isCut = true
    this.enqueue(LIMIT_REACHED)
    this.keep(this.takeHeld())
  }

  private takeHeld(): string {
    const text = releaseHeld(this.held)
    this.held = NOTHING_HELD
    return text
  }

  private keep(text: string): void {
    this.tail += text
    this.tailTotalBytes += utf8Length(text)
    // Trimmed only when it has doubled, so that a flood of small pieces costs per byte and not per piece.
    if (this.tail.length > 2 * this.limits.tailBytes) this.tail = this.tail.slice(-this.limits.tailBytes)
  }

  /** The end of the output, from the beginning of a line on if there is one. */
  private endOfTail(): string {
    let text = this.tail.slice(-this.limits.tailBytes)
    while (utf8Length(text) > this.limits.tailBytes) text = text.slice(Math.ceil(text.length / 8))
    const line = text.indexOf('\n')
    if (line !== -1 && line < text.length - 1) return text.slice(line + 1)
    return text.replace(/^[\udc00-\udfff]/, '')
  }

  private enqueue(text: string): void {
    if (text === '') return
    const last = this.pending.at(-1)
    // Small pieces are joined while they wait: a slow client gets few large messages, and the list stays short.
    if (last !== undefined && last.length + text.length <= this.limits.maxChunkUnits) {
      this.pending[this.pending.length - 1] = last + text
    } else {
      this.pending.push(text)
    }
    this.pendingLength += text.length
    this.lastUnit = text.slice(-1)
  }
}
