/** One terminal on the page: xterm.js with everything that makes it safe to look at and pleasant to use. */
import { FitAddon } from '@xterm/addon-fit'
import { Unicode11Addon } from '@xterm/addon-unicode11'
import { Terminal } from '@xterm/xterm'
import { type CommandFacts, commandFactsOf } from '../core/facts.js'
import type { Boundary } from '../core/output-queue.js'
import { silenceAnswers } from './answers.js'
import { type CommandMark, CommandMarks } from './command-marks.js'
import { Finder, type Results } from './finder.js'
import { Gutter } from './gutter.js'
import { handleLinks } from './links.js'
import { OutputFeed, type OutputSource, type Surface } from './output-feed.js'
import { MATCHES, type Scheme, THEMES } from './palette.js'
import { applySizing, type Size, type Sizing } from './sizing.js'

export interface ScreenOptions {
  /** Filled and measured; the terminal and its gutter are put in. */
  readonly area: HTMLElement
  readonly gutter: HTMLElement
  readonly source: OutputSource
  readonly scheme: Scheme
  readonly fontPx: number
  readonly isScreenReader: boolean
  readonly label: string
  readonly onInput: (data: string) => void
  /** What this page gives the program, when it decides. */
  readonly onSize: (size: Size) => void
  /** @returns whether the page takes the key; then the terminal never sees it. */
  readonly onKey: (event: KeyboardEvent) => boolean
  /** A key that would have been typed, had this page the keyboard. */
  readonly onUntyped: () => void
  readonly onTarget: (text: string | undefined) => void
  readonly onResults: (results: Results | undefined) => void
  /** The command gone to, or none. */
  readonly onCurrent: (command: CommandFacts | undefined) => void
}

const SCROLLBACK_LINES = 10_000
const FONTS =
  "ui-monospace, 'SF Mono', 'Cascadia Code', 'JetBrains Mono', Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"

export class TerminalScreen {
  private readonly terminal: Terminal
  private readonly fit = new FitAddon()
  readonly finder: Finder
  private readonly marks: CommandMarks
  private readonly gutter: Gutter
  private readonly feed: OutputFeed
  private readonly observer: ResizeObserver
  private sizing: Sizing = { kind: 'given', size: { cols: 80, rows: 24 } }
  private scheme: Scheme
  private current: string | undefined
  private frame: number | undefined
  private gutterFrame: number | undefined

  constructor(private readonly options: ScreenOptions) {
    const { area, gutter, source, scheme, fontPx, isScreenReader } = options
    this.scheme = scheme
    this.terminal = new Terminal({
      allowProposedApi: true,
      disableStdin: true,
      scrollback: SCROLLBACK_LINES,
      fontFamily: FONTS,
      fontSize: fontPx,
      lineHeight: 1.2,
      theme: THEMES[scheme],
      cursorBlink: false,
      cursorInactiveStyle: 'outline',
      minimumContrastRatio: 4.5,
      overviewRuler: { width: 10 },
      screenReaderMode: isScreenReader,
      macOptionClickForcesSelection: true,
      logLevel: 'error',
    })
    const answers = silenceAnswers(this.terminal.parser)
    this.terminal.loadAddon(this.fit)
    this.terminal.loadAddon(new Unicode11Addon())
    this.terminal.unicode.activeVersion = '11'
    handleLinks(this.terminal, options.onTarget)
    this.terminal.open(area)
    this.terminal.textarea?.setAttribute('aria-label', options.label)
    this.terminal.onData((data) => {
      if (!answers.isAnswering()) options.onInput(data)
    })
    // Mouse reports of the oldest kind. Beyond column 95 they are not text, and cannot be sent.
    this.terminal.onBinary((data) => {
      if (!/[^\x00-\x7f]/.test(data)) options.onInput(data)
    })
    this.terminal.attachCustomKeyEventHandler((event) => this.handleKey(event))
    this.finder = new Finder({
      terminal: this.terminal,
      colours: () => MATCHES[this.scheme],
      onResults: options.onResults,
    })
    this.marks = new CommandMarks(this.terminal)
    this.gutter = new Gutter(gutter, (commandId) => this.choose(commandId))
    this.terminal.onRender(() => this.drawGutter())
    this.feed = new OutputFeed(source, this.createSurface())
    this.observer = new ResizeObserver(() => this.requestSizing())
    this.observer.observe(area)
  }

  dispose(): void {
    if (this.frame !== undefined) cancelAnimationFrame(this.frame)
    if (this.gutterFrame !== undefined) cancelAnimationFrame(this.gutterFrame)
    this.observer.disconnect()
    this.feed.dispose()
    this.finder.dispose()
    this.terminal.dispose()
  }

  focus(): void {
    this.terminal.focus()
  }

  /** @param sizing - `fit` when this page decides the size. */
  setTyping(isTyping: boolean, sizing: Sizing): void {
    this.terminal.options.disableStdin = !isTyping
    this.terminal.options.cursorBlink = isTyping
    this.terminal.options.cursorStyle = isTyping ? 'block' : 'underline'
    this.sizing = sizing
    this.requestSizing()
  }

  setScheme(scheme: Scheme): void {
    if (scheme === this.scheme) return
    this.scheme = scheme
    this.terminal.options.theme = THEMES[scheme]
    this.finder.redraw()
  }

  setScreenReader(isScreenReader: boolean): void {
    this.terminal.options.screenReaderMode = isScreenReader
  }

  get selection(): string {
    return this.terminal.getSelection()
  }

  /** Go to the next command from the one gone to, or from what is seen. */
  jump(direction: 'next' | 'previous'): void {
    const { marks } = this.marks
    const top = this.terminal.buffer.active.viewportY
    const at = marks.findIndex(({ commandId }) => commandId === this.current)
    const index =
      at !== -1
        ? at + (direction === 'next' ? 1 : -1)
        : direction === 'next'
          ? marks.findIndex(({ line }) => line > top)
          : marks.findLastIndex(({ line }) => line < this.terminal.buffer.active.baseY + this.terminal.rows)
    const mark = marks[index]
    if (mark) {
      this.choose(mark.commandId)
      this.terminal.scrollToLine(mark.line)
    } else if (direction === 'next') {
      this.choose(undefined)
      this.terminal.scrollToBottom()
    }
  }

  /** Output of the command gone to, or of the last one that is done. */
  readOutput(): string | undefined {
    const mark =
      this.marks.marks.find(({ commandId }) => commandId === this.current) ??
      this.marks.marks.findLast(({ commandId }) => this.factsOf(commandId)?.outcome.kind === 'finished')
    return mark && this.marks.readOutput(mark)
  }

  /** Facts of commands have changed. */
  handleFacts(): void {
    if (this.current !== undefined) this.options.onCurrent(this.factsOf(this.current))
    this.drawGutter()
  }

  private createSurface(): Surface {
    return {
      write: (text, done) => this.terminal.write(text, done),
      handleBoundary: (boundary) => this.handleBoundary(boundary),
      reset: () => {
        this.marks.reset()
        this.choose(undefined)
        this.terminal.reset()
      },
    }
  }

  private handleBoundary(boundary: Boundary): void {
    this.marks.handleBoundary(boundary)
    if (boundary.kind === 'cleared') {
      this.marks.reset()
      // Those who come later start from an empty screen; so does this one.
      this.terminal.write('\x1b[2J\x1b[3J\x1b[H')
    }
    // Once for all commands of a frame.
    this.gutterFrame ??= requestAnimationFrame(() => {
      this.gutterFrame = undefined
      this.drawGutter()
    })
  }

  private choose(commandId: string | undefined): void {
    if (this.current === commandId) return
    this.current = commandId
    this.options.onCurrent(commandId === undefined ? undefined : this.factsOf(commandId))
    this.drawGutter()
  }

  private factsOf(commandId: string): CommandFacts | undefined {
    const part = this.options.source.state?.content.findLast(
      (each) => each.type === 'command' && each.commandId === commandId,
    )
    return part?.type === 'command' ? commandFactsOf(part) : undefined
  }

  private drawGutter(): void {
    const { active } = this.terminal.buffer
    const screen = this.terminal.element?.querySelector<HTMLElement>('.xterm-screen')
    if (!screen) return
    const marks: readonly CommandMark[] = active.type === 'alternate' ? [] : this.marks.marks
    this.gutter.draw({
      marks,
      factsOf: (commandId) => this.factsOf(commandId),
      current: this.current,
      top: active.viewportY,
      rows: this.terminal.rows,
      // As xterm.js has set it: to measure it would lay the page out once more for every drawing.
      rowPx: Number.parseFloat(screen.style.height) / this.terminal.rows,
    })
  }

  private requestSizing(): void {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined
      const { area, fontPx, onSize } = this.options
      const size = applySizing({ terminal: this.terminal, fit: this.fit, area, fontPx }, this.sizing)
      area.dataset.sizing = this.sizing.kind
      if (size) onSize(size)
      this.drawGutter()
    })
  }

  private handleKey(event: KeyboardEvent): boolean {
    if (event.type === 'keydown' && this.options.onKey(event)) {
      event.preventDefault()
      return false
    }
    if (this.terminal.options.disableStdin !== true) return true
    // Nothing is typed: keys scroll, and Tab leaves as anywhere else on the page.
    if (event.type !== 'keydown') return false
    if (this.scroll(event)) event.preventDefault()
    else if (wouldType(event)) this.options.onUntyped()
    return false
  }

  private scroll({ key }: KeyboardEvent): boolean {
    const pages = new Map([
      ['PageUp', () => this.terminal.scrollPages(-1)],
      ['PageDown', () => this.terminal.scrollPages(1)],
      ['ArrowUp', () => this.terminal.scrollLines(-1)],
      ['ArrowDown', () => this.terminal.scrollLines(1)],
      ['Home', () => this.terminal.scrollToTop()],
      ['End', () => this.terminal.scrollToBottom()],
    ])
    const run = pages.get(key)
    run?.()
    return run !== undefined
  }
}

function wouldType({ key, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
  return !ctrlKey && !altKey && !metaKey && (key.length === 1 || key === 'Enter' || key === 'Backspace')
}
