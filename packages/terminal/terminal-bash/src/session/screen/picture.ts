import { createHash } from 'node:crypto'
import type { ScreenSpan } from '@agent-terminals/terminal'
import type { IBufferCell, Terminal } from '@xterm/headless'

/** What a terminal emulator shows, as plain data. */
export interface Picture {
  readonly rows: readonly string[]
  readonly spans: readonly ScreenSpan[]
  readonly isAlternate: boolean
}

/** Read the visible screen. Spans are the runs of cells whose look sets them apart; colour of the letters alone does not. */
export function takePicture(terminal: Terminal): Picture {
  const { active } = terminal.buffer
  const rows: string[] = []
  const spans: ScreenSpan[] = []
  const scratch = active.getNullCell()
  for (let y = 0; y < terminal.rows; y++) {
    const line = active.getLine(active.baseY + y)
    if (!line) continue
    rows.push(line.translateToString(true).trimEnd())
    let run: { column: number; text: string; style: string } | undefined
    for (let x = 0; x < terminal.cols; x++) {
      const cell = line.getCell(x, scratch)
      // The second half of a wide character.
      if (!cell || cell.getWidth() === 0) continue
      const style = styleOf(cell)
      if (run?.style !== style) {
        endRun(spans, y, run)
        run = { column: x + 1, text: '', style }
      }
      run.text += cell.getChars() || ' '
    }
    endRun(spans, y, run)
  }
  return { rows, spans, isAlternate: active.type === 'alternate' }
}

/** Equal pictures have equal hashes. */
export function hashPicture(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12)
}

function endRun(
  spans: ScreenSpan[],
  y: number,
  run: { column: number; text: string; style: string } | undefined,
): void {
  // Empty ground is no message, whatever its colour.
  if (!run || run.style === '' || run.text.trim() === '') return
  spans.push({ row: y + 1, column: run.column, text: run.text, style: run.style })
}

function styleOf(cell: IBufferCell): string {
  if (cell.isAttributeDefault()) return ''
  const words: string[] = []
  if (cell.isInverse()) words.push('inverse')
  if (cell.isBold()) words.push('bold')
  if (cell.isDim()) words.push('dim')
  if (cell.isItalic()) words.push('italic')
  if (cell.isUnderline()) words.push('underline')
  if (cell.isBlink()) words.push('blink')
  if (cell.isInvisible()) words.push('invisible')
  if (cell.isStrikethrough()) words.push('strikethrough')
  const isGround = !cell.isBgDefault()
  if (words.length === 0 && !isGround) return ''
  if (!cell.isFgDefault()) words.push(`fg=${renderColor(cell.getFgColor(), cell.isFgRGB())}`)
  if (isGround) words.push(`bg=${renderColor(cell.getBgColor(), cell.isBgRGB())}`)
  return words.join(' ')
}

const renderColor = (color: number, isRgb: boolean) =>
  isRgb ? `#${color.toString(16).padStart(6, '0')}` : String(color)
