/** Pages that go forward by line number, so that they stay put while output arrives. Costs what the page holds. */
import { cutMiddle, type PageLimits } from './page.js'
import type { TextModel } from './text-model.js'
import type { Page } from './types.js'
import { decodeUtf8, encodeUtf8 } from './utf8.js'

/**
 * Lines from number `since` (from 1) on, up to `lines` of them, fewer when they would not fit into the bytes. A first line that
 * alone does not fit is cut in its middle. `truncated` when lines from `since` on have been lost.
 */
export function readPageSince(
  model: TextModel,
  request: { readonly since: number; readonly lines?: number },
  limits: PageLimits,
): Page {
  const { log } = model
  const last = log.count + model.liveLineCount
  const oldest = Math.max(log.first, last - limits.maxLines)
  const wantedFrom = Math.max(0, Math.trunc(request.since) - 1)
  const from = Math.min(last, Math.max(oldest, wantedFrom))
  const stop = Math.min(last, from + Math.max(1, Math.trunc(request.lines ?? limits.defaultLines)))
  const lines: string[] = []
  let bytes = 0
  for (let line = from; line < stop; line++) {
    const text = line < log.count ? storedLine(model, line) : model.liveLine(line - log.count)
    bytes += encodeUtf8(text).length + (line > from ? 1 : 0)
    if (bytes > limits.maxBytes && line > from) break
    lines.push(text)
  }
  const end = from + lines.length
  const text = lines.join('\n')
  return {
    text: lines.length === 1 && bytes > limits.maxBytes ? cutMiddle(text, limits.maxBytes) : text,
    totalLines: last - oldest,
    lineBegin: lines.length === 0 ? 0 : from - oldest + 1,
    lineEnd: lines.length === 0 ? 0 : end - oldest,
    truncated: wantedFrom < oldest,
    firstLine: from + 1,
    nextLine: Math.min(end, log.count) + 1,
  }
}

function storedLine({ log }: TextModel, line: number): string {
  return decodeUtf8(log.slice(log.startOf(line), log.endOf(line)))
}
