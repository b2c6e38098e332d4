/** The text of an opened terminal: what the shell said, then how to address it. */
import type { OpenedSession, TerminalConfinement } from '@agent-terminals/terminal'
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
    ...(session.confinement === undefined ? [] : [confinementFact(session.confinement)]),
  ]
}

/** Without it a model meets the bounds of its terminal as `Read-only file system` only. */
function confinementFact({ mode, writable, temporaryDirectory, network }: TerminalConfinement): Fact {
  const label = `sandbox ${cleanLine(mode, 40)}`
  const directories = [
    ...writable.map((directory) => cleanLine(directory, 1024)),
    ...(temporaryDirectory === undefined ? [] : [`${cleanLine(temporaryDirectory, 1024)} (removed on close)`]),
  ]
  const writing = directories.length === 0 ? 'may write no files' : `may write in ${directories.join(' and ')}`
  return { text: `${label}: ${writing}${network === 'deny' ? '; no network' : ''}`, short: label }
}
