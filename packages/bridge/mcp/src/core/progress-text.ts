/** Output of a running call between two notifications: what a person would see of it, within a bound. */
import { type ControlState, clipTail, initialControlState, stripControls, utf8Length } from '@agent-terminals/text'

export interface ProgressText {
  readonly controls: ControlState
  /** Pending text. A carriage return at its end has not shown what it does. */
  readonly pending: string
  /** Bytes dropped from the beginning of the pending text. */
  readonly droppedBytes: number
}

export const initialProgressText: ProgressText = { controls: initialControlState, pending: '', droppedBytes: 0 }

/** What lines show after carriage returns: the last thing written over each. Returns at the very end have not done anything yet. */
function overwriteLines(text: string): string {
  if (!text.includes('\r')) return text
  const lines = text.split('\n')
  const shown = lines.map((line) => {
    const body = line.replace(/\r+$/, '')
    return body.slice(body.lastIndexOf('\r') + 1)
  })
  return text.endsWith('\r') ? `${shown.join('\n')}\r` : shown.join('\n')
}

/** Add a piece of raw output. The newest `maxBytes` are kept. */
export function appendOutput(state: ProgressText, piece: string, maxBytes: number): ProgressText {
  const { state: controls, text } = stripControls(state.controls, piece)
  const pending = overwriteLines(state.pending + text)
  // A string has at most three bytes per unit, so short ones need no counting.
  if (pending.length * 3 <= maxBytes) return { controls, pending, droppedBytes: state.droppedBytes }
  const kept = clipTail(pending, maxBytes)
  const droppedBytes = state.droppedBytes + utf8Length(pending.slice(0, pending.length - kept.length))
  return { controls, pending: kept, droppedBytes }
}

/** Whether there is something to tell. */
export const hasMessage = ({ pending }: ProgressText): boolean => pending !== '' && pending !== '\r'

/** Take what is pending as one message; empty when there is nothing to tell. */
export function takeMessage(state: ProgressText): { readonly state: ProgressText; readonly message: string } {
  const { controls, pending, droppedBytes } = state
  const hold = pending.endsWith('\r') ? '\r' : ''
  const text = pending.slice(0, pending.length - hold.length)
  const message = droppedBytes > 0 ? `[${droppedBytes} bytes not shown]\n${text}` : text
  return { state: { controls, pending: hold, droppedBytes: 0 }, message }
}
