import { readFileSync } from 'node:fs'

/** Of this package, as servers tell it to clients. The file lies one level below the manifest, built or not. */
export const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly version: string
}
