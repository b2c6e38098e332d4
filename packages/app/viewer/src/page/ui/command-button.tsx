/** A button for what a shortcut does as well: it says the keys, which stand in the table of shortcuts only. */
import type { ComponentChildren } from 'preact'
import type { Page } from '../app/page.js'
import { type Command, keysOf } from '../core/shortcuts.js'
import { Icon, type IconName } from './icons.js'

export interface CommandButtonProps {
  readonly page: Page
  readonly command: Command
  readonly icon: IconName
  /** What it does, without the keys. */
  readonly title: string
  /** Where no text stands beside the icon. */
  readonly label?: string
  readonly class?: string
  readonly children?: ComponentChildren
}

export function CommandButton({ page, command, icon, title, label, class: look, children }: CommandButtonProps) {
  return (
    <button
      type="button"
      class={look === undefined ? 'button' : `button ${look}`}
      aria-label={label}
      title={`${title} (${keysOf(command)})`}
      onClick={() => page.run(command)}
    >
      <Icon name={icon} /> {children}
    </button>
  )
}
