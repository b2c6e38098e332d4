import { type ScreenRequest, type ScreenSnapshot, TerminalError, type TerminalSize } from '@agent-terminals/terminal'
import type { ModeChange, TerminalOutput } from '../../core/index.js'
import { Emulator, type LoadXterm } from './emulator.js'
import { hashPicture, takePicture } from './picture.js'

export interface ScreenOptions {
  readonly output: TerminalOutput
  readonly size: TerminalSize
  /** Whether this deployment shows screens. Where the cursor is, programs are told either way. */
  readonly isKept: boolean
  readonly load: LoadXterm
  readonly title: () => string | undefined
  /** Whether a program is in front, so that a picture asked for is worth keeping up to date. */
  readonly isProgramInFront: () => boolean
  readonly hold: () => void
  readonly release: () => void
}

/** What is kept of the screen. Nothing, until a program begins to draw. */
type Keeping =
  | { readonly kind: 'nothing' }
  /** The screen has been cleared, and a program that draws does that first: this is what came since. */
  | { readonly kind: 'cleared'; readonly since: readonly Uint8Array[]; readonly bytes: number }
  /** `until`: a program gives the alternate screen back itself; one that draws on the main screen is gone at the prompt. */
  | {
      readonly kind: 'drawn'
      readonly emulator: Emulator
      readonly until: 'main-screen' | 'prompt'
      /** Whether the picture has been put together from lines rather than drawn by the program. */
      readonly isFromLines: boolean
    }

const unsupported = (reason: string) =>
  new TerminalError('UNSUPPORTED', `There is no screen to see: ${reason}. Read the lines instead.`)

const NOTHING: Keeping = { kind: 'nothing' }
/** More than any program draws before it jumps for the first time; a flood of lines after `clear` is not kept. */
const MOST_BYTES_SINCE_CLEAR = 65_536

/**
 * Keeps a picture of the screen while a program draws one. Fed in the order of the stream with everything that comes out, it
 * starts an emulator at the first sign of drawing, with what must have been on the screen then, and drops it when the program
 * has left.
 */
export class ScreenKeeper {
  private keeping: Keeping = NOTHING
  private size: TerminalSize

  constructor(private readonly options: ScreenOptions) {
    this.size = options.size
  }

  get isKept(): boolean {
    return this.options.isKept
  }

  /** Whether a program draws, so that there is more to see than lines. */
  get isDrawn(): boolean {
    return this.isKept && this.keeping.kind === 'drawn' && !this.keeping.isFromLines
  }

  /** @param bytes - borrowed. */
  handleRaw(bytes: Uint8Array): void {
    const { keeping } = this
    if (keeping.kind === 'drawn') keeping.emulator.feed(new Uint8Array(bytes))
    if (keeping.kind !== 'cleared') return
    const total = keeping.bytes + bytes.length
    this.keeping =
      total > MOST_BYTES_SINCE_CLEAR
        ? NOTHING
        : { kind: 'cleared', since: [...keeping.since, new Uint8Array(bytes)], bytes: total }
  }

  /** The bytes up to and including the sequence that says so have been handled. */
  handleMode(change: ModeChange): void {
    const { keeping } = this
    switch (change.mode) {
      case 'alternate-screen':
        if (change.on && keeping.kind !== 'drawn') this.draw('main-screen', [this.renderLines(), '\x1b[?1049h'])
        if (!change.on && keeping.kind === 'drawn' && keeping.until === 'main-screen') this.drop()
        return
      case 'screen-cleared':
        if (keeping.kind !== 'drawn') this.keeping = { kind: 'cleared', since: [], bytes: 0 }
        return
      case 'cursor-addressing':
        if (keeping.kind === 'drawn') this.keeping = { ...keeping, isFromLines: false }
        else if (keeping.kind === 'cleared') this.draw('prompt', keeping.since)
        else this.draw('prompt', [this.renderLines(), change.sequence])
        return
      default:
        return
    }
  }

  /** The shell is back: whoever drew has gone, with or without tidying up. */
  handlePrompt(): void {
    this.drop()
  }

  resize(size: TerminalSize): void {
    this.size = size
    if (this.keeping.kind === 'drawn') this.keeping.emulator.resize(size.columns, size.rows)
  }

  /** Where the cursor is after everything handled so far. */
  async cursor(): Promise<{ readonly row: number; readonly column: number }> {
    const fromLines = this.lineCursor()
    const { keeping } = this
    return (keeping.kind === 'drawn' ? await keeping.emulator.cursor() : undefined) ?? fromLines
  }

  /** @throws TerminalError `UNSUPPORTED` where no screens are kept or the emulator cannot be loaded. */
  async snapshot({ attributes = false }: ScreenRequest, attempts = 3): Promise<ScreenSnapshot> {
    if (!this.options.isKept) throw unsupported('this deployment keeps no screens (terminal-bash `features.screen`)')
    if (attempts === 0) throw unsupported('the terminal emulator does not answer')
    const { keeping } = this
    const isFromLines = keeping.kind !== 'drawn' || keeping.isFromLines
    const emulator = keeping.kind === 'drawn' ? keeping.emulator : this.drawLines()
    const seen = await emulator.see((terminal, cursor) => ({ picture: takePicture(terminal), cursor }))
    if (this.keeping.kind !== 'drawn' || this.keeping.emulator !== emulator) emulator.dispose()
    // The program has left meanwhile, so lines are what is left to see.
    if (!seen) return this.snapshot({ attributes }, attempts - 1)
    const { picture, cursor } = seen
    const { rows, spans, isAlternate } = picture
    return {
      rows,
      cursor,
      columns: this.size.columns,
      title: this.options.title(),
      isAlternate,
      source: isFromLines ? 'lines' : 'emulator',
      hash: hashPicture([rows, cursor, spans]),
      ...(attributes ? { spans } : {}),
    }
  }

  close(): void {
    this.drop()
  }

  private draw(until: 'main-screen' | 'prompt', seed: readonly (Uint8Array | string)[], isFromLines = false): Emulator {
    const { load, hold, release } = this.options
    const emulator = new Emulator({ ...this.size, load, hold, release })
    for (const part of seed) emulator.feed(part)
    this.keeping = { kind: 'drawn', emulator, until, isFromLines }
    return emulator
  }

  /** A picture of the lines. With a program in front it goes on being drawn: a menu may move in it. */
  private drawLines(): Emulator {
    const { keeping } = this
    const seed = keeping.kind === 'cleared' ? keeping.since : [this.renderLines()]
    const emulator = this.draw('prompt', seed, true)
    if (!this.options.isProgramInFront()) this.keeping = NOTHING
    return emulator
  }

  private drop(): void {
    if (this.keeping.kind === 'drawn') this.keeping.emulator.dispose()
    this.keeping = NOTHING
  }

  /** What the lines would have left on the screen, the cursor included. */
  private renderLines(): string {
    const { output } = this.options
    const { text, below } = output.shownLines()
    const up = below > 0 ? `\x1b[${below}A` : ''
    return `${text.replaceAll('\n', '\r\n')}${up}\x1b[${output.cursorColumn() + 1}G`
  }

  private lineCursor(): { readonly row: number; readonly column: number } {
    const { output } = this.options
    const { text, below } = output.shownLines()
    const folded = text.split('\n').map((line) => Math.max(1, Math.ceil([...line].length / this.size.columns)))
    const rows = folded.reduce((sum, each) => sum + each, 0)
    return { row: Math.max(1, Math.min(this.size.rows, rows) - below), column: output.cursorColumn() + 1 }
  }
}
