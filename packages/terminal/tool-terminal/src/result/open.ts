/** The text of an opened terminal: what the shell said, then how to address it. */
import type { OpenedSession } from '@agent-terminals/terminal'
import { cleanLine } from './clean.js'
import type { Fact } from './compose.js'
import { renderStatus } from './words.js'

export function openFacts(session: OpenedSession): readonly Fact[] {
  const name = session.name === undefined ? '' : ` ${JSON.stringify(cleanLine(session.name))}`
  const cwd = session.cwd === undefined ? '' : `, cwd ${cleanLine(session.cwd, 1024)}`
  const status = session.status.kind === 'running' ? '' : `, ${renderStatus(session.status)}`
  return [
    {
      text: `session ${session.sessionId}${name}: ${cleanLine(session.type)}, pid ${session.pid}${cwd}${status}`,
      short: `session ${session.sessionId}`,
      isEssential: true,
    },
  ]
}
