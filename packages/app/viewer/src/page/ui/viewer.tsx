/** The whole page, as a function of its state. */
import type { Page } from '../app/page.js'
import type { ViewerState } from '../core/state.js'
import { terminalModels } from '../core/terminal-model.js'
import { Dialogs } from './dialogs.js'
import { Notices } from './notices.js'
import { Sidebar } from './sidebar.js'
import { SignIn } from './sign-in.js'
import { TerminalPane } from './terminal-pane.js'

export function Viewer({ page, state }: { readonly page: Page; readonly state: ViewerState }) {
  if (state.access.kind !== 'signed-in') return <SignIn page={page} access={state.access} />
  const models = terminalModels(state, page.clientId)
  const model = models.find(({ uri }) => uri === state.selected)
  return (
    <div class="viewer" data-pane={state.pane}>
      <Sidebar page={page} state={state} />
      {model ? (
        <TerminalPane key={model.uri} page={page} state={state} model={model} />
      ) : (
        <main class="pane nothing">
          <p>{state.terminals === undefined ? '' : 'Nothing is open.'}</p>
        </main>
      )}
      <Notices page={page} notices={state.notices} />
      <Dialogs page={page} dialog={state.dialog} models={models} />
    </div>
  )
}
