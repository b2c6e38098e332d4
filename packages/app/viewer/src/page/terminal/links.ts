/** Links in the output: their target is shown while the pointer is on them; only Ctrl or ⌘ with a click opens one. */
import { WebLinksAddon } from '@xterm/addon-web-links'
import type { ILinkHandler, Terminal } from '@xterm/xterm'
import { isOpenable, renderTarget } from '../core/target.js'
import { isMac, modifierName } from './platform.js'

/** @param show - shows a target, or nothing. */
export function handleLinks(terminal: Terminal, show: (text: string | undefined) => void): void {
  const hover = (target: string) => show(renderTarget(target, modifierName))
  const leave = () => show(undefined)
  // OSC 8: the text says nothing about the target.
  const handler: ILinkHandler = {
    activate: (event, target) => open(event, target),
    hover: (_event, target) => hover(target),
    leave,
    allowNonHttpProtocols: true,
  }
  terminal.options.linkHandler = handler
  terminal.loadAddon(new WebLinksAddon(open, { hover: (_event, target) => hover(target), leave }))
}

function open(event: MouseEvent, target: string): void {
  if (!(isMac ? event.metaKey : event.ctrlKey) || !isOpenable(target)) return
  window.open(target, '_blank', 'noopener,noreferrer')
}
