import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CHORDS, PLAIN_KEYS } from '../../src/page/core/shortcuts.js'

const page = readFileSync(new URL('../../../../../docs/viewer.md', import.meta.url), 'utf8')

test('docs/viewer.md lists exactly the keys there are, in their order', () => {
  const [, keys = ''] = page.split('## Keys')
  const rows = [...keys.matchAll(/^\| (?!Keys|---)(.+?) \| (.+?) \|$/gm)].map(([, pressed, does]) => [pressed, does])
  expect(rows).toEqual([...CHORDS, ...PLAIN_KEYS].map((shortcut) => [shortcut.keys, shortcut.does]))
})
