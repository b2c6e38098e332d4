import { fileURLToPath } from 'node:url'

const shipped = (file: string) => fileURLToPath(new URL(`../${file}`, import.meta.url))

/** The composition that ships with the command line: lines only, as the six pinned tools. */
export const defaultConfigFile = shipped('cordis.yml')

/** The same with screens, keys, search and resize. */
export const interactiveConfigFile = shipped('cordis.interactive.yml')
