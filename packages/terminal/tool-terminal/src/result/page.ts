/** The part of a page that one result can hold, so that its line numbers speak of what is shown. */
import type { ScrollbackPage } from '@agent-terminals/terminal'
import { utf8Length } from '@agent-terminals/text'

export interface PageFit {
  readonly maxBytes: number
  /** Which end of the page stays: the oldest lines where reading goes forward, else the newest. */
  readonly isForward: boolean
  /** Whether a result can hold the page whole, as text and as data. */
  readonly fits: (page: ScrollbackPage) => boolean
}

/** The page with as many whole lines as fit, at least one. A text that is not one line per number stays as it is. */
export function fitPage(page: ScrollbackPage, fit: PageFit): ScrollbackPage {
  const { fits, isForward, maxBytes } = fit
  const lines = page.text.split('\n')
  if (page.lineEnd === 0 || lines.length !== page.lineEnd - page.lineBegin + 1) return page
  const keep = (amount: number) => keepLines(page, lines, amount, isForward)
  if (fits(page)) return page
  let fitting = 1
  let beyond = countWithin(isForward ? lines : lines.toReversed(), maxBytes) + 1
  while (beyond - fitting > 1) {
    const middle = Math.floor((fitting + beyond) / 2)
    if (fits(keep(middle))) fitting = middle
    else beyond = middle
  }
  return keep(fitting)
}

/** How many lines, from the first, are in `maxBytes`. */
function countWithin(lines: readonly string[], maxBytes: number): number {
  let used = 0
  const index = lines.findIndex((line) => {
    used += utf8Length(line) + 1
    return used > maxBytes + 1
  })
  return index === -1 ? lines.length : index
}

function keepLines(page: ScrollbackPage, lines: readonly string[], amount: number, isForward: boolean): ScrollbackPage {
  if (amount >= lines.length) return page
  const { firstLine } = page
  if (isForward) {
    return {
      ...page,
      text: lines.slice(0, amount).join('\n'),
      lineEnd: page.lineBegin + amount - 1,
      ...(firstLine === undefined ? {} : { nextLine: firstLine + amount }),
    }
  }
  const dropped = lines.length - amount
  return {
    ...page,
    text: lines.slice(dropped).join('\n'),
    lineBegin: page.lineBegin + dropped,
    ...(firstLine === undefined ? {} : { firstLine: firstLine + dropped }),
  }
}
