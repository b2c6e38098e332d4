import type { LineShape } from './facts.js'

const PROMPT = /[:?>$#%\])»❯]\s*$/u
const EDITOR_PROMPT = /(?:>\s?|[$#%»❯]\s)$/u

/** Classify the line under the cursor. `known` is the line at which this terminal was last found waiting. */
export function describeLine(text: string, known: string | undefined): LineShape {
  return {
    isEmpty: text.trim() === '',
    isPrompt: PROMPT.test(text),
    isEditorPrompt: EDITOR_PROMPT.test(text),
    isKnown: text !== '' && text === known,
  }
}
