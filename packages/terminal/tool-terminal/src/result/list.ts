/** The caller's terminals, one line each; as many whole lines as fit. */
import type { SessionSummary } from '@agent-terminals/terminal'
import { utf8Length } from '@agent-terminals/text'
import { cleanLine } from './clean.js'
import { renderDuration, renderStatus } from './words.js'

export interface RenderedList {
  readonly text: string
  /** How many sessions, from the first, are in the text. */
  readonly shown: number
}

export function renderList(sessions: readonly SessionSummary[], maxBytes: number): RenderedList {
  if (sessions.length === 0) return { text: '[no terminals; terminal_open starts one]', shown: 0 }
  const lines = sessions.map(renderSession)
  const ids = sessions.map((session) => session.sessionId)
  const whole = fitLines(lines, maxBytes)
  const kept = whole.length > 0 ? whole : fitLines(ids, maxBytes)
  const more = sessions.length - kept.length
  return { text: [...kept, ...(more > 0 ? [renderMore(more)] : [])].join('\n'), shown: kept.length }
}

const renderMore = (amount: number) => `[${amount} more not shown]`

/** `id "name" shell pid 42: running, foreground make, cwd /src, idle 3.0 s`. */
function renderSession(session: SessionSummary): string {
  const facts = [
    renderStatus(session.status),
    session.foreground === undefined ? undefined : `foreground ${cleanLine(session.foreground, 40)}`,
    session.cwd === undefined ? undefined : `cwd ${cleanLine(session.cwd, 1024)}`,
    `idle ${renderDuration(session.idleMs)}`,
    session.sending ? 'a send is active' : undefined,
    session.claim.kind === 'client' ? 'a person has the keyboard' : undefined,
    session.promptDetection === 'lost' ? 'prompt detection lost' : undefined,
  ].filter((fact) => fact !== undefined)
  const name = session.name === undefined ? '' : ` ${JSON.stringify(cleanLine(session.name))}`
  return `${session.sessionId}${name} ${cleanLine(session.type)} pid ${session.pid}: ${facts.join(', ')}`
}

/** Whole lines from the first, with room for the count of the others unless all fit. */
function fitLines(lines: readonly string[], maxBytes: number): readonly string[] {
  const all = lines.join('\n')
  if (utf8Length(all) <= maxBytes) return lines
  let used = utf8Length(renderMore(lines.length))
  const kept: string[] = []
  for (const line of lines) {
    used += utf8Length(line) + 1
    if (used > maxBytes) break
    kept.push(line)
  }
  return kept
}
