import { z } from 'zod'

/** Configuration of the viewer's server. It has no address of its own: it answers on the port of the AHP host. */
export const Config = z
  .strictObject({
    /** Where the built page is. Default: the one that comes with this package. */
    pageDirectory: z.string().min(1).optional(),
    /** Links that may be tried at once, and per minute. */
    signInTriesPerMinute: z.int().min(1).max(10_000).default(30),
  })
  .prefault({})
export type Config = z.output<typeof Config>
