/** Why the host refused something, said to a person who can do something about it. */
import { REJECTIONS } from '@agent-terminals/ahp/protocol'
import { visibleText } from './visible-text.js'

const ADVICE: Readonly<Record<string, string>> = {
  [REJECTIONS.claimedByOther]:
    'Another viewer has the keyboard. They can hand it back, or you can take it once they have been gone for a minute.',
  [REJECTIONS.inToolCall]: 'The agent has just started a command. Take over again, or detach it first.',
  [REJECTIONS.exited]: 'The program has ended. Dispose of the terminal, or open a new one.',
  [REJECTIONS.tooLong]: 'That was too long to paste at once. Paste it in parts, or put it in a file.',
  [REJECTIONS.ownerGone]: 'The agent of this terminal has ended, so it stays with you.',
  [REJECTIONS.failed]: 'The terminal did not accept it.',
}

/** @param what - what was tried, as in "take the keyboard". */
export function renderRefusal(what: string, reason: string): string {
  return `Could not ${what}. ${ADVICE[reason] ?? `The host says: ${visibleText(reason)}.`}`
}

/** The connection broke before the answer came. */
export function renderUnknown(what: string): string {
  return `The connection broke while trying to ${what}. Look whether it has happened before you try again.`
}
