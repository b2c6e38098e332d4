/** What a send types, as a person would name it. */
import { titleOf } from '../result/clean.js'
import { type SendArguments, submits, typedText } from './send-schema.js'

export function sendTitle(args: SendArguments): string {
  const keys = (args.keys ?? []).map((piece) =>
    typeof piece === 'string' ? piece : 'text' in piece ? piece.text : piece.paste,
  )
  return titleOf([typedText(args), ...keys].filter(Boolean).join(' ')) || (submits(args) ? 'Enter' : 'Wait for output')
}
