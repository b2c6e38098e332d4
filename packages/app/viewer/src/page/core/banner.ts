/** Who types now, in one sentence, and what one can do about it. */
import type { Connection } from './connection.js'
import type { Holder } from './holder.js'
import type { Life, TerminalModel } from './terminal-model.js'

export type KeyboardAction = 'take-over' | 'detach' | 'hand-back'

export interface Banner {
  /** `mine` is the only one in which the page types. */
  readonly tone: 'mine' | 'agent' | 'idle' | 'other' | 'ended' | 'offline'
  readonly headline: string
  readonly detail: string
  /** Most likely one first. */
  readonly actions: readonly KeyboardAction[]
}

export function bannerOf({ life, holder }: Pick<TerminalModel, 'life' | 'holder'>, connection: Connection): Banner {
  if (connection.kind !== 'ready') {
    return {
      tone: 'offline',
      headline: 'Not connected',
      detail: 'What you see may be old. Nothing is typed until the host is back.',
      actions: [],
    }
  }
  if (life.kind === 'ended')
    return { tone: 'ended', headline: renderLife(life), detail: 'Nothing can be typed any more.', actions: [] }
  return bannerOfHolder(holder)
}

/** Whether keys go to the terminal. */
export function isTyping(banner: Banner): boolean {
  return banner.tone === 'mine'
}

export function renderLife(life: Life): string {
  if (life.kind === 'running') return 'Running'
  return life.exitCode === undefined ? 'Ended by a signal' : `Ended with exit code ${life.exitCode}`
}

/** For the list: who types, in a few words. The name of the agent stands beside it. */
export function renderKeyboard({ life, holder }: Pick<TerminalModel, 'life' | 'holder'>): string {
  if (life.kind === 'ended') return renderLife(life)
  switch (holder.kind) {
    case 'me':
      return 'You have the keyboard'
    case 'other-viewer':
      return 'Another viewer has the keyboard'
    case 'agent-working':
      return 'Agent at work'
    case 'agent-idle':
      return 'Agent idle, nobody types'
    case 'unknown':
      return 'Somebody else has the keyboard'
  }
}

function bannerOfHolder(holder: Holder): Banner {
  switch (holder.kind) {
    case 'me':
      return {
        tone: 'mine',
        headline: 'You have the keyboard',
        detail: holder.owner === undefined ? 'This terminal is your own.' : 'The agent waits until you hand it back.',
        actions: holder.owner === undefined ? [] : ['hand-back'],
      }
    case 'other-viewer':
      return {
        tone: 'other',
        headline: 'Another viewer has the keyboard',
        detail: 'You can take it once they have been gone for a minute.',
        actions: ['take-over'],
      }
    case 'agent-working':
      return {
        tone: 'agent',
        headline: `Agent session ${holder.agent} is running a command`,
        detail: 'Take over to type, or detach to let it run on.',
        actions: ['take-over', 'detach'],
      }
    case 'agent-idle':
      return {
        tone: 'idle',
        headline: 'Nobody types',
        detail: `Agent session ${holder.agent} is between two commands.`,
        actions: ['take-over'],
      }
    case 'unknown':
      return {
        tone: 'other',
        headline: 'Somebody else has the keyboard',
        detail: 'This page does not know who; it may be older than the host.',
        actions: ['take-over'],
      }
  }
}
