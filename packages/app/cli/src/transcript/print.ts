/** Cards and headings as lines of text. Colour is a parameter: the caller knows whether a person is looking. */
import { createColors } from 'picocolors'
import type { Card } from './card.js'

export interface Printer {
  heading(text: string): string
  card(card: Card): string
  /** A closing statement, good or bad. */
  verdict(isGood: boolean, text: string): string
}

/** Lines of one card that are shown; the rest is counted. */
const MAX_BODY_LINES = 14

function shorten(lines: readonly string[]): readonly string[] {
  if (lines.length <= MAX_BODY_LINES) return lines
  const head = Math.ceil(MAX_BODY_LINES / 2)
  const tail = MAX_BODY_LINES - head
  return [...lines.slice(0, head), `… ${lines.length - MAX_BODY_LINES} lines …`, ...lines.slice(-tail)]
}

export function createPrinter(hasColor: boolean): Printer {
  const color = createColors(hasColor)
  return {
    heading: (text) => `\n${color.bold(text)}\n`,
    card({ tool, title, body, facts, isError }) {
      const mark = isError ? color.red('●') : color.green('●')
      const lines = [
        `${mark} ${color.cyan(tool)}  ${title}`,
        ...shorten(body).map((line) => `${color.dim('│')} ${line}`),
        `${color.dim(`└ ${facts.join(' · ')}`)}`,
      ]
      return `${lines.join('\n')}\n`
    },
    verdict: (isGood, text) => `${isGood ? color.green('✔') : color.red('✘')} ${text}\n`,
  }
}
