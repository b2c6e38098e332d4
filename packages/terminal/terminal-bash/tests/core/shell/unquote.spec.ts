import { expect, it } from 'vitest'
import { unquoteShellWord } from '../../../src/core/shell/unquote.js'

it.each([
  ["$'\\x41\\x7a'", 'Az'],
  ["$'\\xc3\\xa9'", 'é'],
  ["$'\\303\\251'", 'é'],
  ["$'\\u00e9\\U0001f600'", 'é😀'],
  ["$'a\\tb\\q'", 'a\tbq'],
  ['a\\ b', 'a b'],
  ['$HOME', '$HOME'],
  ["'it'\\''s'", "it's"],
])('%s is %j', (quoted, word) => {
  expect(unquoteShellWord(quoted)).toBe(word)
})

it.each(["'open", "$'open", "$'\\xff'", "$'\\377'"])('%s has no text', (quoted) => {
  expect(unquoteShellWord(quoted)).toBeUndefined()
})
