/** Keys of the page outside terminals. */
import { CHORDS, findCommand, type KeyPress, PLAIN_KEYS } from '../core/shortcuts.js'
import type { Page } from './page.js'

export function pressOf({ key, code, ctrlKey, shiftKey, altKey, metaKey }: KeyboardEvent): KeyPress {
  return { key, code, ctrl: ctrlKey, shift: shiftKey, alt: altKey, meta: metaKey }
}

export function handleKeys(page: Page): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || page.store.state.dialog.kind !== 'none' || event.isComposing) return
    const press = pressOf(event)
    const command = findCommand(CHORDS, press) ?? (takesPlainKeys(event) ? findCommand(PLAIN_KEYS, press) : undefined)
    if (command === undefined || page.store.state.access.kind !== 'signed-in') return
    event.preventDefault()
    page.run(command)
  })
}

/** Letters belong to text fields, Enter and arrows to whatever control has the focus. */
function takesPlainKeys({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof Element) || target === document.body) return true
  if (target.closest('input, textarea, select')) return false
  return key.length === 1 || target.closest('.rows') !== null
}
