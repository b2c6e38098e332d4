import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as bash from '@agent-terminals/terminal-bash'
import * as tools from '@agent-terminals/tool-terminal'
import { entryListSchema } from '@deepseek-ai/cordis-plugin-include'
import { load } from 'js-yaml'
import { expect, test } from 'vitest'

interface Entry {
  readonly id: string
  readonly config?: { readonly patches?: readonly Entry[] } & Record<string, unknown>
}

function readEntries(file: string): readonly Entry[] {
  const text = readFileSync(fileURLToPath(new URL(`../${file}`, import.meta.url)), 'utf8')
  return load(text, { schema: entryListSchema }) as Entry[]
}

const configOf = (entries: readonly Entry[], id: string) => entries.find((entry) => entry.id === id)?.config

test.each([
  ['terminal-bash', bash.Config],
  ['tool-terminal', tools.Config],
])('the interactive composition differs from the shipped one in the features of %s alone', (id, Config) => {
  const [lines] = readEntries('cordis.interactive.yml')
  const shipped = Config.parse(configOf(readEntries('cordis.yml'), id))
  const interactive = Config.parse(configOf(lines?.config?.patches ?? [], id))
  expect({ ...interactive, features: {} }).toEqual({ ...shipped, features: {} })
  expect(Object.values(shipped.features)).not.toContain(true)
  expect(Object.values(interactive.features)).not.toContain(false)
})
