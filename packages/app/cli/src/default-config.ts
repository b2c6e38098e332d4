import { fileURLToPath } from 'node:url'

/** The composition that ships with the command line. */
export const defaultConfigFile = fileURLToPath(new URL('../cordis.yml', import.meta.url))
