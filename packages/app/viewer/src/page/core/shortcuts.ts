/** Keys of the page, as data: the handler and the help dialog read the same table. */

export type Command =
  | 'leave-terminal'
  | 'toggle-keyboard'
  | 'find'
  | 'previous-command'
  | 'next-command'
  | 'copy-output'
  | 'copy-selection'
  | 'new-terminal'
  | 'help'
  | 'focus-terminal'
  | 'previous-terminal'
  | 'next-terminal'
  | 'rename'
  | 'dispose'

export interface KeyPress {
  /** As `KeyboardEvent.key`. */
  readonly key: string
  /** As `KeyboardEvent.code`: the place of the key, whatever the layout prints on it. */
  readonly code: string
  readonly ctrl: boolean
  readonly shift: boolean
  readonly alt: boolean
  readonly meta: boolean
}

export interface Shortcut {
  readonly command: Command
  /** For people. */
  readonly keys: string
  readonly does: string
  readonly matches: (press: KeyPress) => boolean
}

/** Ctrl+Shift chords: what programs in a terminal cannot receive anyway, so that none of their keys is taken. */
const chord = (code: string) => (press: KeyPress) =>
  press.ctrl && press.shift && !press.alt && !press.meta && press.code === code
const plain =
  (...keys: readonly string[]) =>
  (press: KeyPress) =>
    !press.ctrl && !press.alt && !press.meta && keys.includes(press.key)

/** Work everywhere, in a terminal as well. */
export const CHORDS: readonly Shortcut[] = [
  { command: 'leave-terminal', keys: 'Ctrl+Shift+L', does: 'leave the terminal, to the list', matches: chord('KeyL') },
  {
    command: 'toggle-keyboard',
    keys: 'Ctrl+Shift+Enter',
    does: 'take the keyboard, or hand it back',
    matches: chord('Enter'),
  },
  { command: 'find', keys: 'Ctrl+Shift+F', does: 'search the output', matches: chord('KeyF') },
  { command: 'previous-command', keys: 'Ctrl+Shift+↑', does: 'go to the previous command', matches: chord('ArrowUp') },
  { command: 'next-command', keys: 'Ctrl+Shift+↓', does: 'go to the next command', matches: chord('ArrowDown') },
  {
    command: 'copy-output',
    keys: 'Ctrl+Shift+Y',
    does: 'copy the output of the command gone to, or the last one',
    matches: chord('KeyY'),
  },
  { command: 'copy-selection', keys: 'Ctrl+Shift+C', does: 'copy what is selected', matches: chord('KeyC') },
]

/** Work outside a terminal and outside text fields. */
export const PLAIN_KEYS: readonly Shortcut[] = [
  { command: 'previous-terminal', keys: '↑ or k', does: 'previous terminal', matches: plain('ArrowUp', 'k') },
  { command: 'next-terminal', keys: '↓ or j', does: 'next terminal', matches: plain('ArrowDown', 'j') },
  { command: 'focus-terminal', keys: 'Enter', does: 'go into the terminal', matches: plain('Enter') },
  { command: 'new-terminal', keys: 'n', does: 'new terminal', matches: plain('n') },
  { command: 'rename', keys: 'r', does: 'rename the terminal', matches: plain('r') },
  { command: 'dispose', keys: 'Delete', does: 'dispose of the terminal; asks first', matches: plain('Delete') },
  { command: 'find', keys: '/', does: 'search the output', matches: plain('/') },
  { command: 'help', keys: '?', does: 'this help', matches: plain('?') },
]

export function findCommand(shortcuts: readonly Shortcut[], press: KeyPress): Command | undefined {
  return shortcuts.find(({ matches }) => matches(press))?.command
}

/** The keys of a command for people: those that work everywhere, where it has them. */
export function keysOf(command: Command): string {
  return [...CHORDS, ...PLAIN_KEYS].find((shortcut) => shortcut.command === command)?.keys ?? ''
}
