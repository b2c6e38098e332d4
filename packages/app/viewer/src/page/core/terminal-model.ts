/** One terminal as the page shows it: what the list and the terminal's own channel say, in words. */
import type { TerminalInfo, TerminalState } from '@agent-terminals/ahp/protocol'
import { renderDirectory } from './directory.js'
import type { CommandFacts } from './facts.js'
import { type Holder, holderOf, nameSession } from './holder.js'
import type { ViewerState } from './state.js'
import { visibleText } from './visible-text.js'

export type Life =
  | { readonly kind: 'running' }
  /** `exitCode` is not known when a signal ended it. */
  | { readonly kind: 'ended'; readonly exitCode: number | undefined }

export interface TerminalModel {
  readonly uri: string
  readonly title: string
  /** Name of the session it belongs to; `undefined` for a person's own. */
  readonly agent: string | undefined
  readonly directory: string | undefined
  readonly life: Life
  readonly holder: Holder
  readonly command: CommandFacts | undefined
  readonly size: { readonly cols: number; readonly rows: number } | undefined
  readonly isUnseen: boolean
}

export function terminalModels(state: ViewerState, clientId: string): readonly TerminalModel[] {
  return (state.terminals ?? []).map((info) => toModel(state, info, clientId))
}

export function selectedModel(state: ViewerState, clientId: string): TerminalModel | undefined {
  const info = state.terminals?.find(({ resource }) => resource === state.selected)
  return info && toModel(state, info, clientId)
}

function toModel(state: ViewerState, info: TerminalInfo, clientId: string): TerminalModel {
  const { resource: uri } = info
  const facts = state.facts.get(uri)
  const owner = state.owners.get(uri)
  const { title, claim, lifecycle } = facts ?? info
  return {
    uri,
    title: visibleText(title, 120) || 'untitled',
    agent: owner && nameSession(owner.session),
    directory: facts?.cwd === undefined ? undefined : renderDirectory(facts.cwd),
    life: lifeOf(lifecycle),
    holder: holderOf(claim, clientId, owner),
    command: facts?.command,
    size: facts?.size,
    isUnseen: state.unseen.has(uri),
  }
}

function lifeOf(lifecycle: TerminalState['lifecycle']): Life {
  // A state of a later version counts as running: it can still be looked at and disposed of.
  return lifecycle.status === 'exited' ? { kind: 'ended', exitCode: lifecycle.exitCode } : { kind: 'running' }
}
