/** Collects the visible output of one send out of the text model's lines. */
import { EchoFilter } from './echo.js'
import { FinishedLines } from './finished-lines.js'
import { HeadTail } from './head-tail.js'
import { LINE_END, type LineLog } from './line-log.js'
import type { ViewportOptions, ViewportText } from './types.js'
import { decodeUtf8, encodeUtf8 } from './utf8.js'

/** Committed lines whose visible part differs from the line; only those a cursor can still reach matter. */
const MAX_PARTIAL_LINES = 256

export class Viewport {
  private readonly store: HeadTail
  private readonly echo: EchoFilter | undefined
  private readonly finished: FinishedLines | undefined
  private readonly partial = new Map<number, string>()
  private cutBytes = 0
  private skipsEmptyLine = false
  /** Position in the log up to which everything visible has been stored. */
  private copied: number
  private copiedLines: number

  constructor(
    maxBytes: number,
    { echo, onLines }: ViewportOptions,
    prompt: string,
    private readonly log: LineLog,
  ) {
    this.store = new HeadTail(maxBytes)
    this.echo = echo === undefined ? undefined : new EchoFilter(echo, prompt)
    this.finished = onLines === undefined ? undefined : new FinishedLines(onLines)
    this.firstLine = log.count
    this.copied = log.end
    this.copiedLines = log.count
  }

  /** Number of the first line that may hold output of this send. */
  readonly firstLine: number

  /** Whether lines must be taken one by one rather than in bulk. */
  get takesLines(): boolean {
    return this.skipsEmptyLine || this.echo?.isPending === true
  }

  /** Leave out the next line if there is nothing in it. */
  skipEmptyLine(): void {
    this.skipsEmptyLine = true
  }

  /** Whether what the open line holds has been stored already. */
  get hasOpenLine(): boolean {
    return this.copied > this.log.lineStart
  }

  /** What has come in the open line since its beginning was stored. Nothing of a line too long to be kept whole. */
  openRest(): string {
    return this.log.openOmitted > 0 ? '' : decodeUtf8(this.log.slice(this.copied, this.log.end))
  }

  /** Store all lines committed since the last call. Called before the log may drop them. */
  copyCommitted(): void {
    const to = this.log.lineStart
    if (this.copied >= to) return
    this.log.visit(this.copied, to, (part) => this.keep(part))
    this.store.addLines(this.log.count - this.copiedLines)
    this.noteCopied(to)
  }

  /** An edited line has been committed; `visible` is its visible part. */
  takeLine(visible: string, hasLineEnd: boolean, isWhole: boolean): void {
    const isSkipped = hasLineEnd && this.skipsEmptyLine && visible === ''
    if (hasLineEnd) this.skipsEmptyLine = false
    const isEcho = isSkipped || (hasLineEnd && this.echo?.takeLine(visible) === true)
    const text = isEcho ? '' : hasLineEnd || visible !== '' ? `${visible}\r\n` : ''
    if (text !== '') {
      this.keep(encodeUtf8(text))
      this.store.addLines(1)
    }
    if (!isWhole || isEcho) this.notePartial(this.log.count - 1, text)
    this.noteCopied(this.log.lineStart)
  }

  /** A line too long to be edited goes on as plain bytes; `visible` is what of it belongs to the send. */
  takeLineStart(visible: string): void {
    this.echo?.giveUp()
    if (visible !== '') this.keep(encodeUtf8(visible))
    this.noteCopied(this.log.end)
  }

  /** An over-long line has been committed as the log cut it. @param wasStored - its start has been stored already. */
  takeCutLine(omittedBytes: number, wasStored: boolean): void {
    this.cutBytes += omittedBytes
    if (!wasStored) return
    this.keep(LINE_END)
    this.store.addLines(1)
    this.noteCopied(this.log.lineStart)
  }

  /** The newest line is edited again. @returns whether its text belongs to the send. */
  takeBackLine(line: number, bytes: number): boolean {
    this.noteCopied(Math.min(this.copied, this.log.lineStart))
    if (line < this.firstLine) return false
    const partial = this.partial.get(line)
    this.partial.delete(line)
    this.store.takeBack(partial === undefined ? bytes + LINE_END.length : encodeUtf8(partial).length)
    return partial === undefined
  }

  /** @param open - visible text of lines not committed yet. */
  render(open: string): ViewportText {
    const { text, omittedLines, omittedBytes } = this.store.render(this.withoutEcho(open))
    return { text, omittedLines, omittedBytes: omittedBytes + this.cutBytes }
  }

  /** The last line of what `render` would show, whole. */
  lastLine(open: string): string {
    const shown = this.withoutEcho(open)
    const lineEnd = shown.lastIndexOf('\n')
    return lineEnd < 0 ? this.store.openLine() + shown : shown.slice(lineEnd + 1)
  }

  private withoutEcho(open: string): string {
    return this.echo?.isEchoSoFar(open) === true ? '' : open
  }

  private keep(bytes: Uint8Array): void {
    this.store.append(bytes)
    this.finished?.append(bytes)
  }

  private noteCopied(position: number): void {
    this.copied = position
    this.copiedLines = this.log.count
  }

  private notePartial(line: number, text: string): void {
    this.partial.set(line, text)
    if (this.partial.size <= MAX_PARTIAL_LINES) return
    const [oldest] = this.partial.keys()
    if (oldest !== undefined) this.partial.delete(oldest)
  }
}
