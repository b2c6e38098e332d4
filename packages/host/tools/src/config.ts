import { z } from 'zod'

export const Config = z
  .strictObject({
    /** How long a cancelled tool may take to stop before the call ends without it, in milliseconds. */
    abortGraceMs: z.int().min(0).max(600_000).default(10_000),
    /** Shortest time between two `tool/progress` events of a call, in milliseconds; what comes between is merged. */
    progressIntervalMs: z.int().min(0).max(60_000).default(50),
    /** Most UTF-8 bytes of progress text logged for one call. Listeners still get everything. */
    progressLogBytes: z.int().min(0).default(65_536),
  })
  .prefault({})
export type Config = z.output<typeof Config>
