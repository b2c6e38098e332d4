import type { SessionEvent, SessionLog } from '@agent-terminals/agents/contract'
import type {} from '@agent-terminals/tools/contract'
import { renderCard } from './card.js'
import type { Printer } from './print.js'

/**
 * Write a session down while it happens: headings for prompts, a card for every finished call.
 * @returns a release.
 */
export function followSession(session: SessionLog, printer: Printer, write: (text: string) => void): () => void {
  return session.onEvent((event) => {
    if (event.type === 'message/user') {
      write(printer.heading((event as SessionEvent<'message/user'>).data.text))
    } else if (event.type === 'tool/result') {
      write(printer.card(renderCard((event as SessionEvent<'tool/result'>).data)))
    }
  })
}
