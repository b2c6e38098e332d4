/** Directories as the page shows them. */
import { visibleText } from './visible-text.js'

/** @param cwd - `file:` URI, as the protocol has it; some hosts send a plain path. */
export function renderDirectory(cwd: string): string {
  const path = /^file:\/\/[^/]*(\/.*)$/s.exec(cwd)?.[1]
  return visibleText(path === undefined ? cwd : decode(path), 400)
}

/** The last two parts of a path, for narrow places. */
export function shortenDirectory(path: string): string {
  const parts = path.split('/').filter((part) => part !== '')
  return parts.length <= 2 ? path : `…/${parts.slice(-2).join('/')}`
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
