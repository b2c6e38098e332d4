/** What a deployment can set. Seed, "Six model-facing tools" and "Composition and rollout". */
import { z } from 'zod'

/** Smallest `maxResultBytes`: a creation acknowledgement must keep its id. Seed, "Six model-facing tools". */
export const MIN_RESULT_BYTES = 64

export const Config = z
  .strictObject({
    enableRunInBackground: z
      .boolean()
      .default(true)
      .describe('Whether terminal_send offers run_in_background. When off, the parameter is gone from the schema.'),
    maxResultBytes: z
      .int()
      .min(MIN_RESULT_BYTES, `maxResultBytes must be at least ${MIN_RESULT_BYTES}, so that results keep their ids`)
      .default(262_144)
      .describe('Bound in UTF-8 bytes on the complete text of every result, errors and hook replacements included.'),
  })
  .prefault({})

export type ToolTerminalConfig = z.output<typeof Config>
