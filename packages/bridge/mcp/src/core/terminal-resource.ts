/** Terminals as MCP resources: `terminal://<id>` is the newest part of the scrollback, `?lines=N&offset=N` another page. */
import { cleanLine, cleanText, clipTail, utf8Length } from '@agent-terminals/text'

export const TERMINAL_URI_TEMPLATE = 'terminal://{sessionId}{?lines,offset}'
const MIME_TYPE = 'text/plain'
const SCHEME = 'terminal://'
const ID = /^[A-Za-z0-9._~-]{1,128}$/
const MAX_NUMBER = 1_000_000_000
const MAX_FACTS_BYTES = 400

/** Everything that is retained, as far as the bounds of the backend and of the resource go. */
export const ALL_LINES = 1_000_000

export interface TerminalPage {
  readonly sessionId: string
  readonly lines?: number
  readonly offset?: number
}

/** @returns what the URI asks for, or nothing when it is none of ours. */
export function parseTerminalUri(uri: string): TerminalPage | undefined {
  if (!uri.startsWith(SCHEME)) return undefined
  const [sessionId = '', query = '', ...rest] = uri.slice(SCHEME.length).split('?')
  if (!ID.test(sessionId) || rest.length > 0) return undefined
  const numbers = new Map<string, number>()
  for (const pair of query === '' ? [] : query.split('&')) {
    const [, key, digits] = /^(lines|offset)=(\d{1,10})$/.exec(pair) ?? []
    if (key === undefined || numbers.has(key)) return undefined
    const value = Number(digits)
    if (value > MAX_NUMBER || (key === 'lines' && value === 0)) return undefined
    numbers.set(key, value)
  }
  const [lines, offset] = [numbers.get('lines'), numbers.get('offset')]
  return { sessionId, ...(lines === undefined ? {} : { lines }), ...(offset === undefined ? {} : { offset }) }
}

export const renderTerminalUri = (sessionId: string) => `${SCHEME}${sessionId}`

/** A terminal as its owner sees it. */
export interface TerminalFacts {
  readonly sessionId: string
  readonly name: string | undefined
  readonly type: string
  readonly status: { readonly kind: string; readonly exitCode?: number; readonly signal?: string }
  readonly cwd: string | undefined
  readonly foreground: string | undefined
}

export interface McpResource {
  readonly uri: string
  readonly name: string
  readonly description: string
  readonly mimeType: string
}

export function describeTerminal(terminal: TerminalFacts): McpResource {
  const { kind, exitCode, signal } = terminal.status
  const status = exitCode === undefined && signal === undefined ? kind : `${kind} (${exitCode ?? signal})`
  const facts = [terminal.type, status, terminal.foreground, terminal.cwd].filter((fact) => fact !== undefined)
  return {
    uri: renderTerminalUri(terminal.sessionId),
    name: cleanLine(terminal.name ?? terminal.sessionId),
    description: `Scrollback of a terminal: ${cleanLine(facts.join(', '), MAX_FACTS_BYTES)}`,
    mimeType: MIME_TYPE,
  }
}

export interface PageFacts {
  readonly text: string
  readonly totalLines: number
  readonly lineBegin: number
  readonly lineEnd: number
  readonly truncated: boolean
}

export interface McpResourceContents {
  readonly uri: string
  readonly mimeType: string
  readonly text: string
  readonly _meta: Record<string, unknown>
}

/** Key of the page's place within the scrollback. */
export const PAGE_KEY = 'agent-terminals/page'

/** A page within `maxBytes`. The newest end is kept, and the numbers tell how much is missing. */
export function renderTerminalPage(uri: string, page: PageFacts, maxBytes: number): McpResourceContents {
  const { totalLines, lineBegin, lineEnd, truncated } = page
  const whole = cleanText(page.text)
  const text = clipTail(whole, maxBytes)
  const omittedBytes = utf8Length(whole.slice(0, whole.length - text.length))
  const _meta = {
    [PAGE_KEY]: { totalLines, lineBegin, lineEnd, truncated, ...(omittedBytes > 0 ? { omittedBytes } : {}) },
  }
  return { uri, mimeType: MIME_TYPE, text, _meta }
}
