/** Parameters and results that a deployment can add to the six tools. Without them the schemas are those of the seed. */
import { type TerminalWaitReason, WAIT_REASONS } from '@agent-terminals/terminal'
import { z } from 'zod'
import { assembled } from './schema.js'
import { type SendArguments, sendInput, sendInputWithBackground, sendOutput } from './send-schema.js'

export type Features = { readonly [name in 'screen' | 'keys' | 'search' | 'resize']: boolean }

const MOST_PIECES = 256
const MOST_PATTERN_UNITS = 1_024

/** A piece of input: the name of a key, text to type, or text to insert. */
const inputPiece = z.union([
  z.string().min(1).max(64),
  z.strictObject({ text: z.string().min(1) }),
  z.strictObject({ paste: z.string().min(1) }),
])

const keysInput = {
  keys: z
    .array(inputPiece)
    .min(1)
    .max(MOST_PIECES)
    .optional()
    .describe(
      'Key presses after the text, in order: "enter", "esc", "tab", "up", "pagedown", "f5", "ctrl+x", "alt+x", "shift+tab", or a ' +
        'single character; {"text": "…"} types, {"paste": "…"} inserts. With keys, submit is false by default and text may be left out.',
    ),
}

const waitInput = {
  waitFor: z
    .string()
    .min(1)
    .max(MOST_PATTERN_UNITS)
    .optional()
    .describe(
      'Return as soon as a line of new output holds this text; else for the usual reasons. Not in the background.',
    ),
  regex: z
    .boolean()
    .optional()
    .describe('Whether waitFor is a regular expression (RE2: no look-around, no back-references). Default false.'),
}

export const screenOutput = z.strictObject({
  rows: z.array(z.string()).describe('The rows of the screen, from the top.'),
  cursor: z.strictObject({ row: z.int(), column: z.int(), isVisible: z.boolean() }).describe('Counted from 1.'),
  columns: z.int(),
  title: z.string().optional(),
  isAlternate: z.boolean().describe('Whether the program has taken the alternate screen.'),
  source: z.enum(['emulator', 'lines']).describe('lines: put together from retained lines, because no program draws.'),
  hash: z.string().describe('For unchangedSince.'),
  spans: z
    .array(z.strictObject({ row: z.int(), column: z.int(), text: z.string(), style: z.string() }))
    .optional()
    .describe('Cells that look unlike plain text, such as the selected line of a menu.'),
})

/** Data of a send, whatever a deployment has added. */
export type SendData = Omit<z.output<typeof sendOutput>, 'waitReason'> & {
  readonly waitReason?: TerminalWaitReason | undefined
}

const searchMatch = z.strictObject({
  line: z.int(),
  text: z.string(),
  before: z.array(z.string()),
  after: z.array(z.string()),
})

/** The parameters of `terminal_send` here. `text` is needed unless keys or a text to wait for stand in for it. */
export function sendInputFor(features: Features, withBackground: boolean): z.ZodType<SendArguments> {
  const base = withBackground ? sendInputWithBackground : sendInput
  if (!features.keys && !features.search) return base
  const extended = base.extend({
    ...(features.keys ? { text: sendInput.shape.text.optional(), ...keysInput } : {}),
    ...(features.search ? waitInput : {}),
  })
  return assembled<SendArguments>(extended)
    .refine(
      (args) => args.waitFor === undefined || args.run_in_background !== true,
      'waitFor does not work with run_in_background: collect the output of the job with job_output instead',
    )
    .refine(({ text, keys, waitFor }) => [text, keys, waitFor].some((each) => each !== undefined), {
      path: ['text'],
      message: `expected a string, unless ${features.search ? 'keys or waitFor say' : 'keys say'} what to do`,
    })
}

export function sendOutputFor(features: Features): z.ZodType<SendData> {
  if (!features.screen && !features.search) return sendOutput
  const extended = sendOutput.extend({
    ...(features.screen ? { screen: screenOutput.optional().describe('What a full-screen program shows.') } : {}),
    ...(features.search
      ? {
          waitReason: z
            .enum([...WAIT_REASONS, 'output_match'])
            .optional()
            .describe('Why the send returned. A timeout does not mean that anything ended.'),
          matched: z.string().optional().describe('The line that waitFor found.'),
        }
      : {}),
  })
  return assembled<SendData>(extended)
}

/** Added to the parameters of `terminal_read`. */
export const screenReadInput = {
  view: z.enum(['lines', 'screen']).optional().describe('"screen" shows what a person would see now. Default "lines".'),
  attributes: z
    .boolean()
    .optional()
    .describe('With view "screen": list inverse, bold, underlined and coloured cells, so that menus can be read.'),
  unchangedSince: z
    .string()
    .max(64)
    .optional()
    .describe('With view "screen": hash of a screen seen before; when it is still the same, only that is said.'),
}

export const searchReadInput = {
  since: z
    .int()
    .min(1)
    .optional()
    .describe('Go forward from this line number. Numbers stay while output arrives; results name the next one.'),
  search: z
    .string()
    .min(1)
    .max(MOST_PATTERN_UNITS)
    .optional()
    .describe('Find lines with this text, oldest first, from since on; lines then bounds the matches (default 50).'),
  regex: z
    .boolean()
    .optional()
    .describe('Whether search is a regular expression (RE2: no look-around, no back-references). Default false.'),
  ignoreCase: z.boolean().optional(),
  context: z.int().min(0).max(20).optional().describe('Lines to show around each match. Default 0.'),
}

export const screenReadOutput = {
  screen: screenOutput.optional(),
  unchanged: z.boolean().optional().describe('The screen is the one of unchangedSince.'),
}

export const searchReadOutput = {
  firstLine: z.int().optional().describe('Number of the first line shown, or searched.'),
  nextLine: z.int().optional().describe('since for what follows.'),
  matches: z.array(searchMatch).optional(),
  stopped: z.enum(['matches', 'time']).optional().describe('Why a search ended before the newest line.'),
}
