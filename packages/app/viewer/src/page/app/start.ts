/** Puts the parts together and keeps outside things in step with the state. */
import { isMeantAsLink, NOT_A_LINK, parseLink } from '../core/link.js'
import { initialState, type ViewerState } from '../core/state.js'
import { selectedModel } from '../core/terminal-model.js'
import { runCommand } from './commands.js'
import { Controller } from './controller.js'
import { createDrawing } from './drawing.js'
import { HostLink } from './host-link.js'
import { handleKeys } from './keys.js'
import * as memory from './memory.js'
import type { Page } from './page.js'
import { redeemLink } from './session.js'
import { Settings } from './settings.js'
import { createStore, type Store } from './store.js'

export function startPage(): Page {
  const clientId = memory.claimClientId()
  const token = memory.token.load()
  const store = createStore(
    initialState(token === undefined ? { kind: 'signed-out', problem: undefined } : { kind: 'signed-in', token }, {
      selected: memory.selected.load(),
      owners: memory.owners.load(),
    }),
  )
  const links = createLinks(store, clientId)
  const drawing = createDrawing()
  const settings = new Settings()
  const page: Page = {
    store,
    controller: new Controller({ store, clientId, link: links.current }),
    settings,
    clientId,
    link: links.current,
    shown: undefined,
    get screen() {
      return page.shown?.screen
    },
    onDraw: (draw) => drawing.start(draw),
    afterDraw: (run) => drawing.after(run),
    run: (command) => runCommand(page, command),
    signIn: (text) => signInWith(store, text),
    focusWhenShown: () => focusWhenShown(page),
  }
  settings.onChange(() => drawing.request())
  store.onChange((state, before) => {
    drawing.request()
    remember(state, before)
    links.follow(state)
    document.title = titleOf(state, clientId)
  })
  links.follow(store.state)
  takeFragment(store)
  addEventListener('hashchange', () => takeFragment(store))
  addEventListener('online', () => links.current()?.client.retryNow())
  handleKeys(page)
  return page
}

/** A secret does not stay in the address bar, nor in the history. */
function takeFragment(store: Store): void {
  const { hash } = location
  if (hash !== '') history.replaceState(null, '', location.pathname + location.search)
  if (isMeantAsLink(hash)) signInWith(store, hash)
}

/** @param text - what a person gave as the link, in the field or in the address bar. */
function signInWith(store: Store, text: string): void {
  const link = parseLink(text)
  if (link !== undefined) void signIn(store, link)
  else store.dispatch({ type: 'access', event: { type: 'link-unreadable', message: NOT_A_LINK } })
}

async function signIn(store: Store, link: string): Promise<void> {
  const before = store.state.access
  store.dispatch({ type: 'access', event: { type: 'link-given', link } })
  const redemption = await redeemLink(link)
  if (redemption.kind === 'granted') {
    store.dispatch({ type: 'access', event: { type: 'token-granted', link, token: redemption.token } })
  } else if (before.kind === 'signed-in') {
    // An old link in a tab that is signed in already does no harm.
    store.dispatch({ type: 'access', event: { type: 'token-granted', link, token: before.token } })
  } else {
    store.dispatch({ type: 'access', event: { type: 'link-refused', link, message: redemption.message } })
  }
}

/** One connection per token. */
function createLinks(store: Store, clientId: string) {
  let open: { readonly token: string; readonly link: HostLink } | undefined
  return {
    current: () => open?.link,
    follow({ access }: ViewerState) {
      const token = access.kind === 'signed-in' ? access.token : undefined
      if (token === open?.token) return
      open?.link.close()
      open = token === undefined ? undefined : { token, link: new HostLink(store, token, clientId) }
    },
  }
}

function remember(state: ViewerState, before: ViewerState): void {
  if (state.access !== before.access && state.access.kind !== 'signing-in') {
    memory.token.save(state.access.kind === 'signed-in' ? state.access.token : undefined)
  }
  if (state.selected !== before.selected) memory.selected.save(state.selected)
  if (state.owners !== before.owners) memory.owners.save(state.owners)
}

function titleOf(state: ViewerState, clientId: string): string {
  const model = state.access.kind === 'signed-in' ? selectedModel(state, clientId) : undefined
  return model ? `${model.title} – agent-terminals` : 'agent-terminals'
}

/** A new terminal is drawn when its state has come. */
function focusWhenShown(page: Page): void {
  const uri = page.store.state.selected
  const release = page.store.onChange(() => page.afterDraw(focus))
  function focus() {
    if (page.shown?.uri !== uri && page.store.state.selected === uri) return
    release()
    if (page.shown?.uri === uri) page.screen?.focus()
  }
  page.afterDraw(focus)
}
