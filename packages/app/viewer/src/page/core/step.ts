/** The one place where the state of the page changes: pure, and total over every order of events. */
import { type SessionClaim, type TerminalClaim, type TerminalInfo, withoutCall } from '@agent-terminals/ahp/protocol'
import { type AccessEvent, stepAccess } from './access.js'
import type { Connection } from './connection.js'
import type { TerminalFacts } from './facts.js'
import type { Dialog, Find, Notice, ViewerState } from './state.js'

export type ViewerEvent =
  | { readonly type: 'access'; readonly event: AccessEvent }
  | { readonly type: 'connection-changed'; readonly connection: Connection }
  | { readonly type: 'list-changed'; readonly terminals: readonly TerminalInfo[] }
  | { readonly type: 'facts-changed'; readonly uri: string; readonly facts: TerminalFacts }
  | { readonly type: 'printed'; readonly uri: string }
  /** A person chose a terminal. */
  | { readonly type: 'selected'; readonly uri: string }
  | { readonly type: 'pane-shown'; readonly pane: ViewerState['pane'] }
  | { readonly type: 'dialog-opened'; readonly dialog: Exclude<Dialog, { readonly kind: 'none' }> }
  | { readonly type: 'dialog-closed' }
  | { readonly type: 'find-opened' }
  | { readonly type: 'find-closed' }
  | {
      readonly type: 'find-changed'
      readonly change: Partial<Pick<Extract<Find, { kind: 'open' }>, 'query' | 'isCaseSensitive' | 'isRegex'>>
    }
  | { readonly type: 'find-counted'; readonly results: Extract<Find, { kind: 'open' }>['results'] }
  | { readonly type: 'noticed'; readonly tone: Notice['tone']; readonly text: string }
  | { readonly type: 'notice-dismissed'; readonly id: number }

const MAX_NOTICES = 4

export function step(state: ViewerState, event: ViewerEvent): ViewerState {
  switch (event.type) {
    case 'access':
      return handleAccess(state, event.event)
    case 'connection-changed':
      return { ...state, connection: event.connection }
    case 'list-changed':
      return handleList(state, event.terminals)
    case 'facts-changed':
      return handleFacts(state, event.uri, event.facts)
    case 'printed':
      if (event.uri === state.selected || state.unseen.has(event.uri) || !isListed(state, event.uri)) return state
      return { ...state, unseen: new Set([...state.unseen, event.uri]) }
    case 'selected':
      return select({ ...state, pane: 'terminal' }, event.uri)
    case 'pane-shown':
      return { ...state, pane: event.pane }
    case 'dialog-opened':
      return { ...state, dialog: event.dialog }
    case 'dialog-closed':
      return { ...state, dialog: { kind: 'none' } }
    case 'find-opened':
      if (state.find.kind === 'open' || state.selected === undefined) return state
      return { ...state, find: { kind: 'open', query: '', isCaseSensitive: false, isRegex: false, results: undefined } }
    case 'find-closed':
      return { ...state, find: { kind: 'closed' } }
    case 'find-changed':
      return state.find.kind === 'open' ? { ...state, find: { ...state.find, ...event.change } } : state
    case 'find-counted':
      return state.find.kind === 'open' ? { ...state, find: { ...state.find, results: event.results } } : state
    case 'noticed':
      return notice(state, event.tone, event.text)
    case 'notice-dismissed':
      return { ...state, notices: state.notices.filter(({ id }) => id !== event.id) }
  }
}

function handleAccess(state: ViewerState, event: AccessEvent): ViewerState {
  const access = stepAccess(state.access, event)
  if (access === state.access) return state
  if (access.kind === 'signed-in') return { ...state, access, connection: { kind: 'connecting' } }
  // Nothing of what was seen stays on the page of somebody who is not signed in.
  return {
    ...state,
    access,
    terminals: undefined,
    facts: new Map(),
    unseen: new Set(),
    dialog: { kind: 'none' },
    find: { kind: 'closed' },
  }
}

function handleList(before: ViewerState, terminals: readonly TerminalInfo[]): ViewerState {
  const uris = new Set(terminals.map(({ resource }) => resource))
  const owners = terminals.reduce((known, { resource, claim }) => noteOwner(known, resource, claim), before.owners)
  const state: ViewerState = {
    ...before,
    terminals,
    facts: keep(before.facts, uris),
    owners: keep(owners, uris),
    unseen: new Set([...before.unseen].filter((uri) => uris.has(uri))),
    dialog: 'uri' in before.dialog && !uris.has(before.dialog.uri) ? { kind: 'none' } : before.dialog,
  }
  if (state.selected !== undefined && uris.has(state.selected)) return state
  return replaceSelection(state, before.terminals ?? [], terminals)
}

/** What was shown is gone, or nothing was shown yet: the neighbour that took its place is. */
function replaceSelection(
  state: ViewerState,
  before: readonly TerminalInfo[],
  after: readonly TerminalInfo[],
): ViewerState {
  const index = before.findIndex(({ resource }) => resource === state.selected)
  const next = after[Math.min(Math.max(index, 0), after.length - 1)]
  if (next === undefined) return { ...state, selected: undefined, pane: 'list', find: { kind: 'closed' } }
  return select(index === -1 ? state : { ...state, pane: 'list' }, next.resource)
}

function handleFacts(state: ViewerState, uri: string, facts: TerminalFacts): ViewerState {
  return {
    ...state,
    facts: new Map([...state.facts, [uri, facts]]),
    owners: noteOwner(state.owners, uri, facts.claim),
  }
}

function select(state: ViewerState, uri: string): ViewerState {
  if (state.selected === uri) return state
  const unseen = new Set(state.unseen)
  unseen.delete(uri)
  return { ...state, selected: uri, unseen, find: { kind: 'closed' } }
}

function notice(state: ViewerState, tone: Notice['tone'], text: string): ViewerState {
  // The same again would only push others out.
  const others = state.notices.filter((each) => each.text !== text)
  const added: Notice = { id: state.nextNoticeId, tone, text }
  return { ...state, notices: [...others, added].slice(-MAX_NOTICES), nextNoticeId: state.nextNoticeId + 1 }
}

function isListed(state: ViewerState, uri: string): boolean {
  return state.terminals?.some(({ resource }) => resource === uri) ?? false
}

function noteOwner(
  owners: ReadonlyMap<string, SessionClaim>,
  uri: string,
  claim: TerminalClaim,
): ReadonlyMap<string, SessionClaim> {
  if (claim.kind !== 'session') return owners
  const known = owners.get(uri)
  if (known?.session === claim.session && known.chat === claim.chat) return owners
  return new Map([...owners, [uri, withoutCall(claim)]])
}

function keep<Value>(map: ReadonlyMap<string, Value>, keys: ReadonlySet<string>): ReadonlyMap<string, Value> {
  return new Map([...map].filter(([key]) => keys.has(key)))
}
