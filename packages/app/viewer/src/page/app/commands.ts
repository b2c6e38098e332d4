/** What keys and buttons start. */
import { cleanText } from '@agent-terminals/text'
import type { Command } from '../core/shortcuts.js'
import { terminalModels } from '../core/terminal-model.js'
import { copyText } from './clipboard.js'
import type { Controller } from './controller.js'
import type { Page } from './page.js'

export function runCommand(page: Page, command: Command): void {
  const { store, controller, screen } = page
  const uri = store.state.selected
  switch (command) {
    case 'leave-terminal':
      store.dispatch({ type: 'pane-shown', pane: 'list' })
      page.afterDraw(focusList)
      return
    case 'focus-terminal':
      store.dispatch({ type: 'pane-shown', pane: 'terminal' })
      page.afterDraw(() => page.screen?.focus())
      return
    case 'toggle-keyboard':
      void controller.toggleKeyboard().then((isTaken) => isTaken && page.screen?.focus())
      return
    case 'find':
      store.dispatch({ type: 'find-opened' })
      page.afterDraw(() => document.querySelector<HTMLInputElement>('#find-text')?.focus())
      return
    case 'previous-command':
      screen?.jump('previous')
      return
    case 'next-command':
      screen?.jump('next')
      return
    case 'copy-output':
      void copyOutput(page)
      return
    case 'copy-selection':
      void copySelection(page)
      return
    case 'new-terminal':
      store.dispatch({ type: 'dialog-opened', dialog: { kind: 'create' } })
      return
    case 'help':
      store.dispatch({ type: 'dialog-opened', dialog: { kind: 'help' } })
      return
    case 'rename':
    case 'dispose':
      if (uri !== undefined) store.dispatch({ type: 'dialog-opened', dialog: { kind: command, uri } })
      return
    case 'previous-terminal':
      selectBeside(page, -1)
      return
    case 'next-terminal':
      selectBeside(page, 1)
  }
}

function focusList(): void {
  document.querySelector<HTMLElement>('.row[tabindex="0"]')?.focus()
}

function selectBeside(page: Page, offset: -1 | 1): void {
  const { store, clientId } = page
  const models = terminalModels(store.state, clientId)
  const index = models.findIndex(({ uri }) => uri === store.state.selected)
  const next = models[index + offset]
  if (!next) return
  store.dispatch({ type: 'selected', uri: next.uri })
  // Whoever goes through the list stays in it.
  store.dispatch({ type: 'pane-shown', pane: 'list' })
  page.afterDraw(focusList)
}

async function copyOutput({ controller, screen }: Page): Promise<void> {
  const output = screen?.readOutput()
  if (output === undefined) controller.notify('There is no finished command whose output could be copied.')
  else await copy(controller, cleanText(output), 'The output of the command is copied.')
}

async function copySelection({ controller, screen }: Page): Promise<void> {
  const selection = screen?.selection ?? ''
  if (selection !== '') await copy(controller, selection, 'Copied.')
}

async function copy(controller: Controller, text: string, done: string): Promise<void> {
  const isCopied = await copyText(text)
  controller.notify(isCopied ? done : 'The browser does not let this page copy.')
}
