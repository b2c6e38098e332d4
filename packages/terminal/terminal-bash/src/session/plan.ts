import type { SendRequest } from '@agent-terminals/terminal'
import type { InputShape, StartFact } from '../core/index.js'
import type { SessionParts } from './parts.js'

/** What a send writes, and how things stand just before it does. */
export interface Plan {
  readonly start: StartFact
  readonly chunks: readonly (string | Uint8Array)[]
  /** The shell itself takes the input, at its prompt. */
  readonly isAtPrompt: boolean
}

/**
 * Decide what to write, by who will read it.
 * @throws TerminalError `INPUT_TOO_LONG`, before anything is written.
 */
export async function planSend(parts: SessionParts, request: SendRequest): Promise<Plan> {
  const { stream, foreground, clock } = parts
  const before = await foreground.look()
  const { phase } = stream
  const isAtPrompt = (phase === 'prompt' || phase === 'continuation') && before?.isShell !== false
  const chunks = renderInput(request, isAtPrompt && stream.modes.bracketedPaste)
  return {
    start: {
      type: 'start',
      at: clock.now(),
      input: shapeOf(chunks.join('')),
      phase,
      ...(before ? { before } : {}),
      ...stream.modes,
    },
    chunks,
    isAtPrompt,
  }
}

function renderInput({ text, submit }: SendRequest, isPasted: boolean): string[] {
  if (text === '' && !submit) return []
  const body = isPasted && /[\r\n\t]/.test(text) ? `\x1b[200~${text}\x1b[201~` : text
  return [submit ? `${body}\r` : body]
}

/** A bracketed paste is one line to the line editor, whatever is in it. */
function shapeOf(input: string): InputShape {
  if (input === '') return 'none'
  const enters = input.replace(/\x1b\[200~.*?\x1b\[201~/gsu, '').match(/\r\n|[\r\n]/g)?.length ?? 0
  if (enters === 0) return 'partial'
  return enters === 1 && /[\r\n]$/.test(input) ? 'line' : 'lines'
}
