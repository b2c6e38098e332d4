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
  let isPushed = false
  /** Empty lines before anything else: of an output that is nothing but these, there is nothing to tell. */
  let blank: string | undefined = ''
  const emit = (text: string) => {
    const clean = cleanText(text)
    if (blank === undefined) {
      if (clean !== '') output(clean)
    } else if (clean.trim() === '') {
      blank += clean
    } else {
      output(blank + clean)
      blank = undefined
    }
  }
  return {
    push(text) {
      isPushed = true
      emit(text)
    },
    finish({ text }) {
      emit(isPushed ? text.slice(text.lastIndexOf('\n') + 1) : text)
    },
  }
}
