/** From what a tool wants to be shown as, to a call and its ending. The shapes are those of `RenderIntent` in the tools contract. */
import type { Announcement, Exit, ToolKind } from './call-event.js'
import { parseSend, titleOfSend } from './send-arguments.js'

export type Presentation =
  | {
      readonly card: 'terminal'
      readonly title: string
      readonly cwd?: string
      readonly output?: string
      readonly exit?: Exit
    }
  | { readonly card: 'generic'; readonly kind: ToolKind; readonly title: string; readonly text?: string }

export interface LoggedCall {
  readonly callId: string
  readonly tool: string
  readonly args: unknown
  readonly presentation: Presentation
}

export interface CallSurroundings {
  /** The client is asked before the call runs. */
  readonly isPending: boolean
  /** The terminal whose live output will belong to the call: that of a background send. */
  readonly followed: { readonly cwd?: string } | undefined
}

export function describeCall(call: LoggedCall, { isPending, followed }: CallSurroundings): Announcement {
  const { callId, tool, args, presentation } = call
  const send = parseSend(tool, args)
  const shared = { callId, rawInput: args, isPending }
  if (presentation.card === 'terminal' || (send && followed)) {
    const cwd = presentation.card === 'terminal' ? presentation.cwd : followed?.cwd
    return {
      ...shared,
      title: send ? titleOfSend(send, presentation.title) : presentation.title,
      toolKind: 'execute',
      // A header that is no path would be drawn as one.
      terminal: cwd?.startsWith('/') ? { cwd } : {},
    }
  }
  return { ...shared, title: presentation.title || tool, toolKind: presentation.kind }
}

/** @param generic - what to show for a card that is no terminal's, when the client sees a terminal all the same. */
export function readCard(
  presentation: Presentation,
  generic: string | undefined,
): { readonly shownOutput: string | undefined; readonly exit: Exit | undefined } {
  if (presentation.card !== 'terminal') return { shownOutput: generic, exit: undefined }
  return { shownOutput: presentation.output, exit: presentation.exit }
}
