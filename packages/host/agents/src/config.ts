import { z } from 'zod'

/** Nothing to configure; unknown fields are refused at load. */
export const Config = z.strictObject({}).prefault({})
export type Config = z.output<typeof Config>
