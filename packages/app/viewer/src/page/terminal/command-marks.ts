/** Where commands begin and end in the drawn output. The lines are xterm.js markers, which move with it. */
import type { IMarker, Terminal } from '@xterm/xterm'
import type { Boundary } from '../core/output-queue.js'

export interface CommandMark {
  readonly commandId: string
  /** Line in which the command was typed. */
  readonly line: number
  /** First line of its output. */
  readonly outputLine: number
  /** The line behind its output; of a running command the line behind everything. */
  readonly endLine: number
}

interface Entry {
  readonly commandId: string
  readonly typed: IMarker
  readonly output: IMarker
  end: IMarker | undefined
}

export class CommandMarks {
  private entries: Entry[] = []

  constructor(private readonly terminal: Terminal) {}

  /** In the order of the output. Commands that scrolled out of what is kept are gone. */
  get marks(): readonly CommandMark[] {
    this.entries = this.entries.filter(({ typed, output }) => !typed.isDisposed && !output.isDisposed)
    return this.entries.map(({ commandId, typed, output, end }) => ({
      commandId,
      line: typed.line,
      outputLine: output.line,
      endLine: end === undefined || end.isDisposed ? this.cursorLine + 1 : end.line,
    }))
  }

  /** What was written before the boundary has been drawn. */
  handleBoundary(boundary: Boundary): void {
    // What runs in the alternate screen leaves no lines behind.
    if (boundary.kind === 'cleared' || this.terminal.buffer.active.type === 'alternate') return
    if (boundary.kind === 'executed') this.begin(boundary.commandId)
    else this.end(boundary.commandId)
  }

  reset(): void {
    for (const { typed, output, end } of this.entries) {
      typed.dispose()
      output.dispose()
      end?.dispose()
    }
    this.entries = []
  }

  /** The output as it was drawn: what was overwritten, as progress bars do, is not in it. */
  readOutput(mark: CommandMark): string {
    const { active } = this.terminal.buffer
    let text = ''
    for (let index = mark.outputLine; index < mark.endLine; index++) {
      const line = active.getLine(index)
      if (!line) break
      const isContinued = active.getLine(index + 1)?.isWrapped === true && index + 1 < mark.endLine
      text += line.translateToString(!isContinued) + (isContinued ? '' : '\n')
    }
    return text
  }

  private get cursorLine(): number {
    const { baseY, cursorY } = this.terminal.buffer.active
    return baseY + cursorY
  }

  private begin(commandId: string): void {
    const output = this.terminal.registerMarker(0)
    const typed = this.terminal.registerMarker(this.findTypedLine() - this.cursorLine)
    this.entries.push({ commandId, typed, output, end: undefined })
  }

  private end(commandId: string): void {
    const entry = this.entries.findLast((each) => each.commandId === commandId)
    if (!entry) return
    // Output that does not end in a line end shares its last line with the next prompt.
    const isLineOpen = this.terminal.buffer.active.cursorX > 0
    entry.end = this.terminal.registerMarker(isLineOpen ? 1 : 0)
  }

  /** The shell says so when Enter has been echoed: the command stands above, over as many lines as it wraps. */
  private findTypedLine(): number {
    const { active } = this.terminal.buffer
    let line = Math.max(0, this.cursorLine - 1)
    while (line > 0 && active.getLine(line)?.isWrapped === true) line--
    return line
  }
}
