/** Output of one send on its way into a job: each part once, whether or not the backend reports finished lines. */
import type { Viewport } from '@agent-terminals/terminal'
import { cleanText } from '../result/clean.js'

export interface Increments {
  /** Take finished lines as they come. */
  push(text: string): void
  /** Take the rest when the send has settled: the unfinished last line, or everything when no line was reported. */
  finish(viewport: Viewport): void
}

export function createIncrements(output: (text: string) => void): Increments {
  let pushed = 0
  let isPushed = false
  const emit = (text: string) => {
    if (text !== '') output(cleanText(text))
  }
  return {
    push(text) {
      isPushed = true
      pushed += text.length
      emit(text)
    },
    finish({ text, omittedBytes }) {
      // Nothing is missing from the viewport: what has been pushed is its beginning.
      const from = !isPushed ? 0 : omittedBytes === 0 ? pushed : text.lastIndexOf('\n') + 1
      emit(text.slice(from))
    },
  }
}
