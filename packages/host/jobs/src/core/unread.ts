/** Output nobody has read yet: bounded in bytes, oldest first to go, never cut inside a code point. */
import { clipHead, utf8Length } from '@agent-terminals/text'

interface Chunk {
  readonly text: string
  readonly bytes: number
}

/** Small pieces are joined up to this size, so that a flood of them stays cheap to hold. */
const JOIN_BYTES = 4096

export interface Increment {
  readonly text: string
  /** Bytes dropped since the last increment was taken. */
  readonly droppedBytes: number
}

export class UnreadOutput {
  private chunks: Chunk[] = []
  private totalBytes = 0
  private dropped = 0
  /** First half of a pair whose second half has not come yet. */
  private halfPair = ''
  private lastCharacter = ''

  /** @param limitBytes - most bytes kept; the final text comes on top. */
  constructor(private readonly limitBytes: number) {}

  get bytes(): number {
    return this.totalBytes
  }

  get droppedBytes(): number {
    return this.dropped
  }

  append(text: string): void {
    const all = this.halfPair + text
    const isHalf = /[\ud800-\udbff]$/.test(all)
    this.halfPair = isHalf ? all.slice(-1) : ''
    this.push(isHalf ? all.slice(0, -1) : all)
    this.dropOldest()
  }

  /** Add the final text after everything else, on a line of its own. It is never dropped. */
  finish(text: string): void {
    this.push(this.halfPair)
    this.halfPair = ''
    const isFreshLine = this.lastCharacter === '' || this.lastCharacter === '\n'
    if (text !== '') this.push(isFreshLine ? text : `\n${text}`)
  }

  /** Take the oldest output, as much as fits. */
  take(maxBytes: number): Increment {
    const taken: string[] = []
    let room = maxBytes
    let used = 0
    for (const chunk of this.chunks) {
      const part = chunk.bytes <= room ? chunk.text : clipHead(chunk.text, room)
      if (part.length < chunk.text.length) {
        const bytes = utf8Length(part)
        taken.push(part)
        this.totalBytes -= bytes
        this.chunks[used] = { text: chunk.text.slice(part.length), bytes: chunk.bytes - bytes }
        break
      }
      taken.push(part)
      room -= chunk.bytes
      this.totalBytes -= chunk.bytes
      used++
    }
    this.chunks = this.chunks.slice(used)
    const { dropped } = this
    this.dropped = 0
    return { text: taken.join(''), droppedBytes: dropped }
  }

  private push(text: string): void {
    if (text === '') return
    const bytes = utf8Length(text)
    const last = this.chunks.at(-1)
    if (last && last.bytes + bytes <= JOIN_BYTES) {
      this.chunks[this.chunks.length - 1] = { text: last.text + text, bytes: last.bytes + bytes }
    } else {
      this.chunks.push({ text, bytes })
    }
    this.totalBytes += bytes
    this.lastCharacter = text.slice(-1)
  }

  private dropOldest(): void {
    let excess = this.totalBytes - this.limitBytes
    let gone = 0
    for (const chunk of this.chunks) {
      if (excess <= 0) break
      const kept = chunk.bytes <= excess ? undefined : dropHead(chunk, excess)
      const droppedBytes = chunk.bytes - (kept?.bytes ?? 0)
      this.totalBytes -= droppedBytes
      this.dropped += droppedBytes
      excess -= droppedBytes
      if (kept) this.chunks[gone] = kept
      else gone++
    }
    if (gone > 0) this.chunks = this.chunks.slice(gone)
  }
}

/** The chunk without its first code points: as few as make up `minBytes`. Costs time per dropped byte. */
function dropHead({ text, bytes }: Chunk, minBytes: number): Chunk {
  const head = clipHead(text, minBytes)
  const headBytes = utf8Length(head)
  const isEnough = headBytes >= minBytes
  const next = isEnough ? '' : String.fromCodePoint(text.codePointAt(head.length) ?? 0)
  return { text: text.slice(head.length + next.length), bytes: bytes - headBytes - utf8Length(next) }
}
