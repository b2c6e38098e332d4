/** Arguments and data of `terminal_read`. */
import { z } from 'zod'
import { type Features, screenReadInput, screenReadOutput, searchReadInput, searchReadOutput } from './features.js'
import { assembled, sessionId } from './schema.js'

const readInput = z.strictObject({
  sessionId,
  lines: z.int().min(1).max(1_000_000).optional().describe('Most lines to return.'),
  offset: z
    .int()
    .min(0)
    .optional()
    .describe('Lines to skip, counted back from the newest: 0 (default) ends at the newest line.'),
})

const readOutput = z.strictObject({
  text: z.string(),
  totalLines: z.int().describe('Lines retained now.'),
  lineBegin: z.int().describe('First line of the page, from 1; 0 for an empty page.'),
  lineEnd: z.int(),
  truncated: z
    .boolean()
    .describe('Whether older output has been lost for good, or a line is cut that is longer than a result.'),
})

/** Arguments with or without what a deployment can add, as it has them. */
export type ReadArguments = z.output<typeof readInput> & {
  readonly view?: 'lines' | 'screen' | undefined
  readonly attributes?: boolean | undefined
  readonly unchangedSince?: string | undefined
  readonly since?: number | undefined
  readonly search?: string | undefined
  readonly regex?: boolean | undefined
  readonly ignoreCase?: boolean | undefined
  readonly context?: number | undefined
}

export function readInputFor({ screen, search }: Features): z.ZodType<ReadArguments> {
  if (!screen && !search) return readInput
  const extended = readInput.extend({ ...(screen ? screenReadInput : {}), ...(search ? searchReadInput : {}) })
  return assembled<ReadArguments>(extended)
    .refine(
      ({ view, lines, offset, ...more }) =>
        view !== 'screen' || [lines, offset, more.since, more.search].every((each) => each === undefined),
      'view "screen" shows the screen as it is: leave out lines, offset, since and search',
    )
    .refine(
      ({ offset, since, search: pattern }) => offset === undefined || (since === undefined && pattern === undefined),
      'offset counts back from the newest line: leave it out with since or search',
    )
}

/** A screen or a search has no page of lines to tell of. */
export function readOutputFor({ screen, search }: Features): z.ZodType {
  if (!screen && !search) return readOutput
  return readOutput
    .partial({ totalLines: true, lineBegin: true, lineEnd: true, truncated: true })
    .extend({ ...(screen ? screenReadOutput : {}), ...(search ? searchReadOutput : {}) })
}
