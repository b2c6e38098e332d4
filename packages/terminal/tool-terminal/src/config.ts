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
    features: z
      .strictObject({
        screen: z
          .boolean()
          .default(false)
          .describe('terminal_read shows the screen, terminal_send the screen of a full-screen program.'),
        keys: z.boolean().default(false).describe('terminal_send takes named keys.'),
        search: z
          .boolean()
          .default(false)
          .describe('terminal_read searches and goes forward from a line; terminal_send waits for a text.'),
        resize: z.boolean().default(false).describe('A seventh tool, terminal_resize.'),
      })
      .prefault({})
      .describe('Beyond lines. All off: the six tools are exactly those of the seed.'),
  })
  .prefault({})

export type ToolTerminalConfig = z.output<typeof Config>
