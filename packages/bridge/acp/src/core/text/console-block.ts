/** The `console` block of clients without terminal cards. Sheet §6.5, FB-1 to FB-6. */
import { clipMiddle } from '@agent-terminals/text'
import type { Ending } from '../call-event.js'
import { fence } from './fence.js'
import { renderPlain } from './plain.js'

const countLines = ({ bytes, lines }: { readonly bytes: number; readonly lines: number }) =>
  lines > 0
    ? `\n[${lines.toLocaleString('en-US')} lines omitted]\n`
    : `\n[${bytes.toLocaleString('en-US')} bytes omitted]\n`

/**
 * @param maxBytes - UTF-8 bytes of the text inside the fence.
 * @returns nothing when there is nothing to say.
 */
export function renderConsoleBlock(ending: Ending, maxBytes: number): string | undefined {
  const text = clipMiddle(renderPlain(ending.text), maxBytes, { marker: countLines }).text
  const facts = [
    ...(ending.notice === undefined ? [] : [renderPlain(ending.notice)]),
    ...(ending.exit.signal === null ? [] : [`[signal ${ending.exit.signal}]`]),
    ...(ending.exit.exitCode ? [`[exit code ${ending.exit.exitCode}]`] : []),
  ].join('\n')
  if (text === '' && facts === '') return undefined
  return fence([text, facts].filter((part) => part !== '').join('\n\n'), 'console')
}

/** The text of a call that ran in no terminal. */
export function renderTextBlock(text: string, maxBytes: number): string | undefined {
  const plain = clipMiddle(renderPlain(text), maxBytes, { marker: countLines }).text
  return plain === '' ? undefined : fence(plain)
}
