/** What a script says next: a pure function of how far the conversation has come. */
import { TurnError } from '../errors.js'
import type { Script, ScriptCall } from './format.js'

/** Prompts so far, and tool calls answered since the last one. */
export interface Position {
  readonly prompt: number
  readonly answeredCalls: number
}

export interface PlannedCall extends ScriptCall {
  readonly callId: string
}

export type PlannedStep =
  | { readonly kind: 'calls'; readonly text: string; readonly calls: readonly PlannedCall[] }
  | { readonly kind: 'reply'; readonly text: string }

/** Ids count through the whole script, so that none is used twice in a session. */
export function listCalls(script: Script): readonly PlannedCall[] {
  return script.prompts.flatMap((prompt, promptIndex) =>
    prompt.steps
      .flatMap((step) => step.calls)
      .map((call, callIndex) => ({ ...call, callId: `script-${promptIndex + 1}-${callIndex + 1}` })),
  )
}

/** @throws TurnError `SCRIPT_EXHAUSTED` when the script has no such prompt. */
export function planStep(script: Script, position: Position): PlannedStep {
  const prompt = script.prompts[position.prompt - 1]
  if (!prompt) {
    throw new TurnError(
      'SCRIPT_EXHAUSTED',
      `The script answers ${script.prompts.length} prompt(s); this is prompt ${position.prompt}. Add an entry to "prompts".`,
    )
  }
  let index = 0
  for (const step of prompt.steps) {
    if (index === position.answeredCalls) {
      const calls = step.calls.map((call, offset) => ({
        ...call,
        callId: `script-${position.prompt}-${index + offset + 1}`,
      }))
      return { kind: 'calls', text: step.text, calls }
    }
    index += step.calls.length
  }
  return { kind: 'reply', text: prompt.reply }
}
