/** Marks of commands beside the output: how each ended, and which one has been gone to. */
import { type CommandFacts, hasFailed } from '../core/facts.js'
import { renderOutcome } from '../core/outcome.js'
import type { CommandMark } from './command-marks.js'

export interface GutterView {
  readonly marks: readonly CommandMark[]
  readonly factsOf: (commandId: string) => CommandFacts | undefined
  readonly current: string | undefined
  /** First line that is seen. */
  readonly top: number
  readonly rows: number
  readonly rowPx: number
}

export class Gutter {
  private readonly buttons = new Map<string, HTMLButtonElement>()
  private readonly range = document.createElement('div')

  constructor(
    private readonly element: HTMLElement,
    private readonly onChoose: (commandId: string) => void,
  ) {
    this.range.className = 'gutter-range'
    this.range.hidden = true
    element.append(this.range)
  }

  draw(view: GutterView): void {
    const { top, rows, rowPx, marks } = view
    const seen = marks.filter(({ line }) => line >= top && line < top + rows)
    const left = new Set(this.buttons.keys())
    for (const mark of seen) {
      left.delete(mark.commandId)
      this.drawMark(mark, view)
    }
    for (const commandId of left) {
      this.buttons.get(commandId)?.remove()
      this.buttons.delete(commandId)
    }
    const current = marks.find(({ commandId }) => commandId === view.current)
    const first = current && Math.max(current.line, top)
    const end = current && Math.min(current.endLine, top + rows)
    this.range.hidden = first === undefined || end === undefined || end <= first
    if (first === undefined || end === undefined || this.range.hidden) return
    this.range.style.top = `${(first - top) * rowPx}px`
    this.range.style.height = `${(end - first) * rowPx}px`
  }

  private drawMark({ commandId, line }: CommandMark, { factsOf, current, top, rowPx }: GutterView): void {
    const facts = factsOf(commandId)
    const button = this.buttons.get(commandId) ?? this.addButton(commandId)
    button.style.top = `${(line - top) * rowPx}px`
    button.style.height = `${rowPx}px`
    const outcome = facts ? kindOf(facts) : 'unknown'
    if (button.dataset.outcome !== outcome) button.dataset.outcome = outcome
    const label = facts ? `${facts.line}: ${renderOutcome(facts.outcome)}` : 'command'
    if (button.title !== label) {
      button.title = label
      button.setAttribute('aria-label', label)
    }
    button.setAttribute('aria-pressed', String(commandId === current))
  }

  private addButton(commandId: string): HTMLButtonElement {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'gutter-mark'
    // A screen full of commands would be a screen full of stops; the chords go from one to the next.
    button.tabIndex = -1
    button.addEventListener('click', () => this.onChoose(commandId))
    this.element.append(button)
    this.buttons.set(commandId, button)
    return button
  }
}

function kindOf({ outcome }: CommandFacts): 'running' | 'failed' | 'done' {
  if (outcome.kind === 'running') return 'running'
  return hasFailed(outcome) ? 'failed' : 'done'
}
