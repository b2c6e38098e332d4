/**
 * Programs ask their terminal what it is and where its cursor is. The host answers, once. xterm.js would answer again for
 * every page that looks on, so what asks is taken out before it gets there. Everything in xterm.js 6 that answers while it
 * reads output is here; its calls of `triggerDataEvent` without `wasUserInput` are the list.
 */

interface FunctionId {
  readonly prefix?: string
  readonly intermediates?: string
  readonly final: string
}

/** The part of xterm.js's parser that is used. A handler that returns true keeps the function from the others. */
export interface Parser {
  registerCsiHandler(id: FunctionId, handler: (params: readonly (number | number[])[]) => boolean): unknown
  registerDcsHandler(id: FunctionId, handler: (data: string) => boolean): unknown
  registerOscHandler(code: number, handler: (data: string) => boolean): unknown
}

const ASKING_CSI: readonly FunctionId[] = [
  { final: 'c' },
  { prefix: '>', final: 'c' },
  { final: 'n' },
  { prefix: '?', final: 'n' },
  { intermediates: '$', final: 'p' },
  { prefix: '?', intermediates: '$', final: 'p' },
  { final: 't' },
]
/** A question among them has a `?` where a colour would be. */
const COLOUR_OSC = [4, 10, 11, 12]
const FOCUS_REPORTS = 1004

export interface Answers {
  /** Whether what xterm.js emits right now is an answer to output and not a person's input. */
  readonly isAnswering: () => boolean
}

export function silenceAnswers(parser: Parser): Answers {
  for (const id of ASKING_CSI) parser.registerCsiHandler(id, () => true)
  parser.registerDcsHandler({ intermediates: '$', final: 'q' }, () => true)
  for (const code of COLOUR_OSC) parser.registerOscHandler(code, (data) => data.includes('?'))
  let isAnswering = false
  // Where focus is reported from now on, xterm.js reports it at once, replay or not. Later reports are a person's doing.
  parser.registerCsiHandler({ prefix: '?', final: 'h' }, (params) => {
    if (params.flat().includes(FOCUS_REPORTS)) {
      isAnswering = true
      queueMicrotask(() => {
        isAnswering = false
      })
    }
    return false
  })
  return { isAnswering: () => isAnswering }
}
