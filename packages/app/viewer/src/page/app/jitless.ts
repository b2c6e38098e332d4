/** The page forbids `eval`; zod must not even try it. Imported before anything that makes a schema. */
import { config } from 'zod/v4/core'

config({ jitless: true })
