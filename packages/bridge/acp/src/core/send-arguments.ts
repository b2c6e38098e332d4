/** Arguments of `terminal_send`, as far as its card needs them. The tool's own schema has checked them by then. */

export interface TypedSend {
  readonly sessionId: string
  readonly text: string
  readonly isBackground: boolean
}

export function parseSend(tool: string, args: unknown): TypedSend | undefined {
  if (tool !== 'terminal_send' || typeof args !== 'object' || args === null) return undefined
  const { sessionId, text, run_in_background } = args as Readonly<Record<string, unknown>>
  if (typeof sessionId !== 'string' || typeof text !== 'string') return undefined
  return { sessionId, text, isBackground: run_in_background === true }
}

/** What was typed, whole, when it can be shown as it is; control keys are better named by the tool. */
export function titleOfSend({ text }: TypedSend, named: string): string {
  const typed = text.replace(/\r\n?/g, '\n').trim()
  return typed === '' || /[\x00-\x08\x0b-\x1f\x7f-\x9f]/.test(typed) ? named : typed
}
