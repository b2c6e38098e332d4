/** The output side of a session: one pass over the bytes feeds raw stream, marks, modes and text. */
import { applyControl, applyEscape, applySequence } from './controls.js'
import { MarkMatcher } from './marks.js'
import {
  colorQueryOf,
  hidesCursor,
  isAddressing,
  isClearing,
  isHoming,
  ModeTracker,
  queryOf,
  switchedModes,
} from './modes.js'
import { readPage } from './page.js'
import { readPageSince } from './page-since.js'
import { type ControlSequence, Parser, type ParserHandler } from './parser.js'
import { PlainScan } from './plain-scan.js'
import { TextModel } from './text-model.js'
import type {
  FeedSummary,
  ModeChange,
  OutputSink,
  Page,
  TerminalOutput,
  TerminalQuery,
  ViewportCollector,
  ViewportOptions,
  ViewportText,
} from './types.js'

const ESC = 0x1b
const RIGHT_BRACKET = 0x5d
const MAX_TITLE_UNITS = 256

export interface TerminalOutputOptions {
  /** Secret of our marks. Never empty. */
  readonly nonce: string
  /** Width and height of the terminal. */
  readonly columns: number
  readonly rows: number
  /** Retained lines. */
  readonly scrollbackLines: number
  /** UTF-8 bytes of retained lines. */
  readonly scrollbackMaxBytes: number
  /** UTF-8 bytes of one page. */
  readonly maxReadBytes: number
  /** UTF-8 bytes of one send's text. Default 262144. */
  readonly viewportMaxBytes?: number
  /** UTF-8 bytes of one line; a longer one keeps head and tail around a count. Default 262144, never more than the scrollback. */
  readonly maxLineBytes?: number
  /** Bytes of one mark; a longer one is ordinary output. Default 262144. */
  readonly maxMarkBytes?: number
  /** Lines of a page that names no number. Default 100. */
  readonly defaultReadLines?: number
}

export function createTerminalOutput(options: TerminalOutputOptions): TerminalOutput {
  return new Output(options)
}

/** What text currently does. `aside`: a status line is drawn elsewhere between saving and restoring the cursor. */
type Drawing = 'lines' | 'alternate' | 'aside'

class Output implements TerminalOutput, ParserHandler {
  private readonly parser = new Parser(this)
  private readonly marks: MarkMatcher
  private readonly model: TextModel
  private readonly modes = new ModeTracker()
  private drawing: Drawing = 'lines'
  /** The cursor has been saved and nothing printed since. */
  private isCursorJustSaved = false
  private drewElsewhere = false
  /** The last sequence went home, and nothing has followed. */
  private isAtHome = false
  /** Number of the first line below the last clearing of the screen, from 0. */
  private clearedLine = 0
  private sink: OutputSink | undefined
  /** Bytes that may still become a mark. */
  private held: Uint8Array = new Uint8Array(0)
  private heldLength = 0
  /** The chunk being fed, and up to where its bytes have been passed on. */
  private chunk: Uint8Array = new Uint8Array(0)
  private passed = 0

  constructor(private readonly options: TerminalOutputOptions) {
    this.marks = new MarkMatcher(options.nonce, options.maxMarkBytes ?? 262_144)
    this.model = new TextModel({
      columns: options.columns,
      rows: options.rows,
      maxLines: options.scrollbackLines,
      maxBytes: options.scrollbackMaxBytes,
      maxLineBytes: Math.min(options.maxLineBytes ?? 262_144, options.scrollbackMaxBytes),
      viewportMaxBytes: options.viewportMaxBytes ?? 262_144,
    })
  }

  feed(bytes: Uint8Array, sink: OutputSink): FeedSummary {
    this.sink = sink
    const scanned = this.heldLength
    const chunk = this.withHeld(bytes)
    this.chunk = chunk
    this.passed = 0
    this.parser.position = 0
    const scan = new PlainScan(chunk)
    let at = 0
    let known = scanned
    while (at < chunk.length) {
      if (chunk[at] === ESC && (at + 1 === chunk.length || chunk[at + 1] === RIGHT_BRACKET)) {
        const match = this.marks.match(chunk, at, at === 0 ? known : 0)
        if (match.kind === 'undecided') break
        if (match.kind === 'mark') {
          this.passRaw(at)
          this.passed = match.end
          at = match.end
          this.parser.position = at
          this.onMark()
          sink.mark(match.mark)
          known = 0
          continue
        }
      }
      at = this.parser.parse(scan, at, chunk.length)
    }
    this.passRaw(at)
    this.hold(chunk, at)
    this.sink = undefined
    const summary = this.model.takeSummary()
    const drew = this.drewElsewhere
    this.drewElsewhere = false
    return drew ? { printed: true, redrawOnly: false } : summary
  }

  startViewport(options: ViewportOptions): ViewportCollector {
    const { model } = this
    const viewport = model.startViewport(options)
    let final: ViewportText | undefined
    return {
      suppress: (on) => model.suppress(viewport, on),
      skipEmptyLine: () => viewport.skipEmptyLine(),
      snapshot: () => final ?? model.renderViewport(viewport),
      lastLine: () => model.lastLine(viewport),
      stop: () => {
        final ??= model.renderViewport(viewport)
        model.stopViewport(viewport)
        return final
      },
    }
  }

  page(request: { readonly lines?: number; readonly offset?: number }): Page {
    const { maxReadBytes, scrollbackLines, defaultReadLines } = this.options
    const limits = { maxLines: scrollbackLines, maxBytes: maxReadBytes, defaultLines: defaultReadLines ?? 100 }
    return readPage(this.model, request, limits)
  }

  pageSince(request: { readonly since: number; readonly lines?: number }): Page {
    const { maxReadBytes, scrollbackLines, defaultReadLines } = this.options
    const limits = { maxLines: scrollbackLines, maxBytes: maxReadBytes, defaultLines: defaultReadLines ?? 100 }
    return readPageSince(this.model, request, limits)
  }

  shownLines(): { readonly text: string; readonly below: number } {
    const { log, rows, liveLineCount } = this.model
    const lines = Math.min(rows, log.count + liveLineCount - this.clearedLine)
    const below = Math.max(0, liveLineCount - 1)
    // The open line counts also while it is empty: the cursor is on it.
    const open = liveLineCount === 0 ? 1 : 0
    if (lines <= 0) return { text: '', below: 0 }
    const { text } = this.page({ lines: Math.max(1, Math.min(lines, rows - open)) })
    return { text: open === 1 ? `${text}\n` : text, below }
  }

  currentLine(): string {
    return this.model.currentLine()
  }

  cursorColumn(): number {
    return this.model.cursorColumn()
  }

  resize(columns: number, rows: number): void {
    this.model.resize(columns, rows)
  }

  // ----------------------------------------------------------------------------------------------------- parser handler

  print(scan: PlainScan, from: number, to: number): number {
    if (this.drawing === 'lines') {
      const end = this.model.print(scan, from, to)
      if (end > from) {
        this.isCursorJustSaved = false
        this.isAtHome = false
      }
      return end
    }
    const at = scan.endOfText(from, to)
    if (at > from) this.drewElsewhere = true
    return at
  }

  printCodePoint(codePoint: number): void {
    this.isCursorJustSaved = false
    this.isAtHome = false
    if (this.drawing === 'lines') this.model.printCodePoint(codePoint)
    else this.drewElsewhere = true
  }

  execute(code: number): void {
    if (this.drawing === 'aside' && code === 0x0a) this.drawing = 'lines'
    if (this.drawing === 'lines') applyControl(this.model, code)
  }

  escape(collected: string, final: string): void {
    if (collected === '' && (final === '=' || final === '>')) this.switchMode('application-keypad', final === '=')
    if (collected === '' && final === 'c') this.resetModes()
    if (collected === '' && final === '8' && this.drawing === 'aside') this.drawing = 'lines'
    this.isCursorJustSaved = collected === '' && final === '7'
    if (this.drawing === 'lines') applyEscape(this.model, collected, final)
  }

  csi(sequence: ControlSequence): void {
    const { collected, params, final } = sequence
    for (const mode of switchedModes(sequence)) this.switchMode(mode, final === 'h')
    const isHidden = hidesCursor(sequence)
    if (isHidden !== undefined) this.switchMode('cursor-hidden', isHidden)
    this.passQuery(queryOf(sequence))
    if (collected === '!' && final === 'p') this.resetModes()
    if (this.drawing === 'alternate') {
      if (final === 'J' || final === 'K') this.drewElsewhere = true
      return
    }
    if (collected === '' && final === 'u' && this.drawing === 'aside') this.drawing = 'lines'
    if (isAddressing(sequence)) this.onAddressing(sequence)
    const isCleared = this.drawing === 'lines' && isClearing(sequence, this.isAtHome)
    this.isAtHome = isHoming(sequence)
    if (collected === '' && final === 's' && params.length === 0) this.isCursorJustSaved = true
    if (this.drawing === 'lines') applySequence(this.model, sequence)
    if (isCleared) this.onCleared()
  }

  osc(text: string): void {
    this.passQuery(colorQueryOf(text))
    const [, title] = /^[02];(.*)$/su.exec(text) ?? []
    if (title === undefined) return
    this.passRaw(undefined)
    this.sink?.title(title.replace(/[\0-\x1f\x7f-\x9f]/g, '').slice(0, MAX_TITLE_UNITS))
  }

  // ------------------------------------------------------------------------------------------------------------- pieces

  /** Only our shell prints marks, and it draws no screen: whatever had drawn one is gone. */
  private onMark(): void {
    this.parser.cancel()
    this.switchMode('alternate-screen', false)
    this.switchMode('cursor-hidden', false)
    this.drawing = 'lines'
  }

  /** A jump right after saving the cursor draws a status line elsewhere and comes back: no screen, and not part of the lines. */
  private onAddressing({ params, final }: ControlSequence): void {
    if (this.isCursorJustSaved) this.drawing = 'aside'
    const sequence = `\x1b[${params.join(';')}${final}`
    if (this.drawing === 'lines') this.emitMode({ mode: 'cursor-addressing', on: true, sequence })
  }

  private onCleared(): void {
    this.clearedLine = this.model.log.count
    this.emitMode({ mode: 'screen-cleared', on: true })
  }

  private passQuery(query: TerminalQuery | undefined): void {
    if (query === undefined) return
    this.passRaw(undefined)
    this.sink?.query(query)
  }

  private switchMode(mode: Exclude<ModeChange['mode'], 'cursor-addressing' | 'screen-cleared'>, on: boolean): void {
    if (!this.modes.switch(mode, on)) return
    if (mode === 'alternate-screen') this.drawing = on ? 'alternate' : 'lines'
    this.emitMode({ mode, on })
  }

  private resetModes(): void {
    for (const mode of this.modes.all()) this.switchMode(mode, false)
  }

  private emitMode(change: ModeChange): void {
    this.passRaw(undefined)
    this.sink?.mode(change)
  }

  /** Pass bytes on up to `to`, or up to and including the sequence just parsed. */
  private passRaw(to: number | undefined): void {
    const end = to ?? this.parser.position
    if (end > this.passed) this.sink?.raw(this.chunk.subarray(this.passed, end))
    this.passed = Math.max(this.passed, end)
  }

  private withHeld(bytes: Uint8Array): Uint8Array {
    if (this.heldLength === 0) return bytes
    const length = this.heldLength + bytes.length
    if (this.held.length < length) {
      const grown = new Uint8Array(Math.max(length, this.held.length * 2))
      grown.set(this.held.subarray(0, this.heldLength))
      this.held = grown
    }
    this.held.set(bytes, this.heldLength)
    return this.held.subarray(0, length)
  }

  private hold(chunk: Uint8Array, from: number): void {
    const rest = chunk.length - from
    const isHeldChunk = chunk.buffer === this.held.buffer
    if (rest === 0) this.held = new Uint8Array(0)
    else if (!isHeldChunk || from > 0) this.held = new Uint8Array(chunk.subarray(from))
    this.heldLength = rest
  }
}
