/** Everything the page knows beside the output of terminals. Changes in `step.ts` only. */
import type { SessionClaim, TerminalInfo } from '@agent-terminals/ahp/protocol'
import type { Access } from './access.js'
import type { Connection } from './connection.js'
import type { TerminalFacts } from './facts.js'

export type Dialog =
  | { readonly kind: 'none' }
  | { readonly kind: 'help' }
  | { readonly kind: 'dispose'; readonly uri: string }
  | { readonly kind: 'create' }
  | { readonly kind: 'rename'; readonly uri: string }

export type Find =
  | { readonly kind: 'closed' }
  | {
      readonly kind: 'open'
      readonly query: string
      readonly isCaseSensitive: boolean
      readonly isRegex: boolean
      /** `index` is from 0. `undefined` while there is nothing to search for. */
      readonly results: { readonly index: number; readonly count: number; readonly isLimited: boolean } | undefined
    }

export interface Notice {
  readonly id: number
  readonly tone: 'problem' | 'news'
  readonly text: string
}

export interface ViewerState {
  readonly access: Access
  readonly connection: Connection
  /** In the order of the host. `undefined` before the first list. */
  readonly terminals: readonly TerminalInfo[] | undefined
  /** What is known of terminals that are followed. */
  readonly facts: ReadonlyMap<string, TerminalFacts>
  /** The session that a terminal was last seen with, to give it back to. */
  readonly owners: ReadonlyMap<string, SessionClaim>
  /** Terminals that printed something while another one was shown. */
  readonly unseen: ReadonlySet<string>
  readonly selected: string | undefined
  /** Which half a narrow page shows. */
  readonly pane: 'list' | 'terminal'
  readonly dialog: Dialog
  readonly find: Find
  readonly notices: readonly Notice[]
  readonly nextNoticeId: number
}

export function initialState(
  access: Access,
  remembered: { readonly selected: string | undefined; readonly owners: ReadonlyMap<string, SessionClaim> },
): ViewerState {
  return {
    access,
    connection: { kind: 'connecting' },
    terminals: undefined,
    facts: new Map(),
    owners: remembered.owners,
    unseen: new Set(),
    selected: remembered.selected,
    pane: 'list',
    dialog: { kind: 'none' },
    find: { kind: 'closed' },
    notices: [],
    nextNoticeId: 1,
  }
}
