/** The list of terminals, and what belongs to the page as a whole. */
import type { Page } from '../app/page.js'
import type { Theme } from '../app/settings.js'
import type { ViewerState } from '../core/state.js'
import { terminalModels } from '../core/terminal-model.js'
import { CommandButton } from './command-button.js'
import { ConnectionLine } from './connection-line.js'
import { Row } from './row.js'

const THEMES: readonly (readonly [Theme, string])[] = [
  ['auto', 'Auto'],
  ['light', 'Light'],
  ['dark', 'Dark'],
]

export function Sidebar({ page, state }: { readonly page: Page; readonly state: ViewerState }) {
  const models = terminalModels(state, page.clientId)
  const choose = (uri: string) => {
    page.store.dispatch({ type: 'selected', uri })
    page.afterDraw(() => page.screen?.focus())
  }
  return (
    <nav class="sidebar" aria-label="Terminals">
      <header class="sidebar-head">
        <h1 class="wordmark">agent-terminals</h1>
        <CommandButton page={page} command="new-terminal" icon="add" title="New terminal">
          New
        </CommandButton>
      </header>
      <ConnectionLine page={page} connection={state.connection} />
      {models.length > 0 ? (
        <ul class="rows">
          {models.map((model) => (
            <Row
              key={model.uri}
              model={model}
              isSelected={model.uri === state.selected}
              onSelect={() => choose(model.uri)}
            />
          ))}
        </ul>
      ) : (
        <p class="empty">{emptyText(state)}</p>
      )}
      <footer class="sidebar-foot">
        <fieldset class="switch">
          <legend class="visually-hidden">Colours</legend>
          {THEMES.map(([theme, label]) => (
            <label key={theme}>
              <input
                type="radio"
                name="theme"
                value={theme}
                checked={page.settings.theme === theme}
                onChange={() => {
                  page.settings.theme = theme
                }}
              />
              <span>{label}</span>
            </label>
          ))}
        </fieldset>
        <CommandButton page={page} command="help" icon="help" title="Keys and settings" class="quiet-button">
          Help
        </CommandButton>
      </footer>
    </nav>
  )
}

function emptyText({ terminals }: ViewerState): string {
  if (terminals === undefined) return 'Waiting for the list of terminals…'
  return 'No terminals yet. They appear here when an agent opens one, or when you do.'
}
