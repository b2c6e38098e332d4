/** Keys, and settings that are rarely changed. */
import type { Page } from '../app/page.js'
import { CHORDS, PLAIN_KEYS, type Shortcut } from '../core/shortcuts.js'
import { modifierName } from '../terminal/platform.js'

export function Help({ page }: { readonly page: Page }) {
  return (
    <form method="dialog" class="help">
      <h3>Everywhere, in a terminal too</h3>
      <Keys shortcuts={CHORDS} />
      <h3>Outside a terminal</h3>
      <Keys shortcuts={PLAIN_KEYS} />
      <p class="quiet">
        While you have the keyboard every other key, Escape and Tab included, goes to the terminal. Links open with{' '}
        {modifierName}+click.
      </p>
      <label class="check">
        <input
          type="checkbox"
          checked={page.settings.isScreenReader}
          onChange={({ currentTarget }) => {
            page.settings.isScreenReader = currentTarget.checked
          }}
        />
        Read output aloud (for screen readers; slower)
      </label>
      <p class="dialog-actions">
        <button type="submit" class="button primary" data-first>
          Close
        </button>
      </p>
    </form>
  )
}

function Keys({ shortcuts }: { readonly shortcuts: readonly Shortcut[] }) {
  return (
    <dl class="keys">
      {shortcuts.map(({ command, keys, does }) => (
        <div key={command}>
          <dt>
            <kbd>{keys}</kbd>
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  )
}
