/** Links in the output: what is shown of them, and which may be opened. */
import { visibleText } from './visible-text.js'

const OPENED_SCHEME = /^https?:\/\//i

/** Only pages of the web are opened: nothing that runs here or hands something to another program. */
export function isOpenable(target: string): boolean {
  return OPENED_SCHEME.test(target) && !/[\p{Cc}\s]/u.test(target)
}

/** @param modifier - key to hold, as the platform calls it. */
export function renderTarget(target: string, modifier: string): string {
  const shown = visibleText(target, 300)
  return isOpenable(target)
    ? `${shown}  ·  ${modifier}+click opens it`
    : `${shown}  ·  not opened: only http and https are`
}
