/** A session as it reached the model, in a form that is the same on every run. */
import type { ExecutedCall } from '@agent-terminals/tools/contract'
import { textOf } from './house.js'

export interface Transcript {
  /** One call and what it gave, appended. */
  add(name: string, args: Readonly<Record<string, unknown>>, call: ExecutedCall): void
  render(): string
}

/** @param fixed - texts of this run and what stands for them. */
export function createTranscript(fixed: ReadonlyMap<string, string>): Transcript {
  const entries: string[] = []
  return {
    add(name, args, call) {
      const { card } = call.presentation
      entries.push(`> ${name} ${JSON.stringify(args)} (${card})\n${textOf(call)}`)
    },
    render() {
      let text = entries.join('\n\n')
      for (const [from, to] of fixed) text = text.replaceAll(from, to)
      return `${normalise(text)}\n`
    },
  }
}

function normalise(text: string): string {
  return text
    .replace(/\bpid \d+/g, 'pid PID')
    .replace(/process group \d+/g, 'process group PGID')
    .replace(/(\[exit \d+) after \d+(?:\.\d+)? (?:ms|s)\b/g, '$1')
    .replace(/\b\d+(?:\.\d+)? (?:ms|s)\b/g, 'TIME')
}
