import type { ScreenCursor } from '@agent-terminals/terminal'
import type { Terminal } from '@xterm/headless'

export type XtermModule = Pick<typeof import('@xterm/headless'), 'Terminal'>
export type LoadXterm = () => Promise<XtermModule>

/** Not loaded before a program draws. The package is CommonJS, so what it exports is its default. */
export const loadXterm: LoadXterm = async () => (await import('@xterm/headless')).default

export interface EmulatorOptions {
  readonly columns: number
  readonly rows: number
  readonly load: LoadXterm
  /** Stop reading from the terminal, because the emulator is behind, and go on. */
  readonly hold: () => void
  readonly release: () => void
}

/** The emulator draws 12–55 MB/s, less than a terminal can carry: beyond this it holds the program back. */
const MOST_PENDING_BYTES = 1_048_576
const FEW_PENDING_BYTES = 262_144

/**
 * One terminal emulator. It takes bytes at once, also while it is still being loaded, and draws them in order. It only draws:
 * questions are answered elsewhere, so its own answers go nowhere.
 */
export class Emulator {
  private terminal: Terminal | undefined
  private size: { readonly columns: number; readonly rows: number }
  private isCursorVisible = true
  private pendingBytes = 0
  private isHolding = false
  private isDisposed = false
  /** Work that comes before what is drawn next, until the emulator is there. */
  private early: ((terminal: Terminal) => void)[] = []
  private readonly waiting = new Set<() => void>()

  constructor(private readonly options: EmulatorOptions) {
    this.size = { columns: options.columns, rows: options.rows }
    options.load().then(
      (module) => this.start(module),
      () => this.dispose(),
    )
  }

  feed(bytes: Uint8Array | string): void {
    if (this.isDisposed || bytes.length === 0) return
    this.pendingBytes += bytes.length
    if (this.pendingBytes > MOST_PENDING_BYTES && !this.isHolding) {
      this.isHolding = true
      this.options.hold()
    }
    this.perform((terminal) => terminal.write(bytes, () => this.handleDrawn(bytes.length)))
  }

  resize(columns: number, rows: number): void {
    this.size = { columns, rows }
    // What came before was drawn for the size before.
    this.perform((terminal) => terminal.write('', () => terminal.resize(columns, rows)))
  }

  /** Where the cursor is once everything fed so far has been drawn. */
  cursor(): Promise<ScreenCursor | undefined> {
    return this.see((_terminal, cursor) => cursor)
  }

  /**
   * Look at the picture as it is when everything fed so far has been drawn, and nothing that is fed later. `undefined` when the
   * emulator has gone before.
   */
  see<Seen>(look: (terminal: Terminal, cursor: ScreenCursor) => Seen): Promise<Seen | undefined> {
    return new Promise((resolve) => {
      if (this.isDisposed) return resolve(undefined)
      const giveUp = () => resolve(undefined)
      this.waiting.add(giveUp)
      this.perform((terminal) =>
        terminal.write('', () => {
          this.waiting.delete(giveUp)
          resolve(this.isDisposed ? undefined : look(terminal, this.findCursor(terminal)))
        }),
      )
    })
  }

  dispose(): void {
    if (this.isDisposed) return
    this.isDisposed = true
    this.early = []
    if (this.isHolding) this.options.release()
    this.terminal?.dispose()
    for (const giveUp of this.waiting) giveUp()
    this.waiting.clear()
  }

  private perform(work: (terminal: Terminal) => void): void {
    if (this.isDisposed) return
    if (this.terminal) work(this.terminal)
    else this.early.push(work)
  }

  private start({ Terminal }: XtermModule): void {
    if (this.isDisposed) return
    const { columns, rows } = this.options
    const terminal = new Terminal({ cols: columns, rows, scrollback: 0, allowProposedApi: true })
    for (const final of ['h', 'l']) {
      terminal.parser.registerCsiHandler({ prefix: '?', final }, (params) => {
        // DECTCEM; its effect on the emulator stays.
        if (params.includes(25)) this.isCursorVisible = final === 'h'
        return false
      })
    }
    this.terminal = terminal
    const { early } = this
    this.early = []
    for (const work of early) work(terminal)
  }

  private findCursor(terminal: Terminal): ScreenCursor {
    const { cursorX, cursorY } = terminal.buffer.active
    // At the right margin the cursor stays on the last cell (DEC STD 070, "last column flag").
    return {
      row: cursorY + 1,
      column: Math.min(cursorX, this.size.columns - 1) + 1,
      isVisible: this.isCursorVisible,
    }
  }

  private handleDrawn(bytes: number): void {
    this.pendingBytes -= bytes
    if (!this.isHolding || this.isDisposed || this.pendingBytes > FEW_PENDING_BYTES) return
    this.isHolding = false
    this.options.release()
  }
}
