/** The parts of the page that components act through. */
import type { Command } from '../core/shortcuts.js'
import type { TerminalScreen } from '../terminal/screen.js'
import type { Controller } from './controller.js'
import type { HostLink } from './host-link.js'
import type { Settings } from './settings.js'
import type { Store } from './store.js'

export interface Page {
  readonly store: Store
  readonly controller: Controller
  readonly settings: Settings
  readonly clientId: string
  readonly link: () => HostLink | undefined
  /** The terminal that is drawn, while one is. */
  shown: { readonly uri: string; readonly screen: TerminalScreen } | undefined
  readonly screen: TerminalScreen | undefined
  /** Draws now, and after every change: later, and once for all changes of one turn. */
  readonly onDraw: (draw: () => void) => void
  /** What needs the page as the changes of this turn leave it. */
  readonly afterDraw: (run: () => void) => void
  readonly run: (command: Command) => void
  /** @param text - what a person gave as the link. */
  readonly signIn: (text: string) => void
  /** Go into the selected terminal as soon as it is drawn. */
  readonly focusWhenShown: () => void
}
