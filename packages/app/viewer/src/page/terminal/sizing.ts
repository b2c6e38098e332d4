/** How large the terminal is drawn: as large as fits when this page sets the size, otherwise as large as it is. */
import type { FitAddon } from '@xterm/addon-fit'
import type { Terminal } from '@xterm/xterm'

export interface Size {
  readonly cols: number
  readonly rows: number
}

export type Sizing =
  /** This page holds the terminal: the program gets the size of the page. */
  | { readonly kind: 'fit' }
  /** Somebody else decides: letters get smaller until it fits, down to what can be read. */
  | { readonly kind: 'given'; readonly size: Size }

const SMALLEST_FONT_PX = 7
const LARGEST_SIDE = 500

export interface SizingOptions {
  readonly terminal: Terminal
  readonly fit: FitAddon
  /** What the terminal is in. */
  readonly area: HTMLElement
  readonly fontPx: number
}

/** @returns the size that the program should have, when this page decides. */
export function applySizing({ terminal, fit, area, fontPx }: SizingOptions, sizing: Sizing): Size | undefined {
  if (area.clientWidth === 0) return undefined
  if (sizing.kind === 'fit') {
    setFont(terminal, fontPx)
    const proposed = fit.proposeDimensions()
    if (!proposed) return undefined
    const size = clampSize(proposed)
    resize(terminal, size)
    return size
  }
  resize(terminal, clampSize(sizing.size))
  setFont(terminal, fontPx)
  const proposed = fit.proposeDimensions()
  const scale = proposed ? Math.min(1, proposed.cols / terminal.cols, proposed.rows / terminal.rows) : 1
  if (scale < 1) setFont(terminal, Math.max(SMALLEST_FONT_PX, Math.floor(fontPx * scale * 10) / 10))
  return undefined
}

function clampSize({ cols, rows }: Size): Size {
  return { cols: Math.min(Math.max(cols, 2), LARGEST_SIDE), rows: Math.min(Math.max(rows, 1), LARGEST_SIDE) }
}

function setFont(terminal: Terminal, fontPx: number): void {
  if (terminal.options.fontSize !== fontPx) terminal.options.fontSize = fontPx
}

function resize(terminal: Terminal, { cols, rows }: Size): void {
  if (terminal.cols !== cols || terminal.rows !== rows) terminal.resize(cols, rows)
}
