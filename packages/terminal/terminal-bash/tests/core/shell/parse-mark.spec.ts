import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseShellMark } from '../../../src/core/shell/parse-mark.js'
import { unquoteShellWord } from '../../../src/core/shell/unquote.js'

describe('parseShellMark', () => {
  it.each([
    ['prompt-start', '0;12', { kind: 'prompt-start', exitCode: 0, line: 12, startsTold: true, editorSeen: true }],
    [
      'prompt-start',
      '130;',
      { kind: 'prompt-start', exitCode: 130, line: undefined, startsTold: true, editorSeen: true },
    ],
    ['prompt-start', '1;3;1', { kind: 'prompt-start', exitCode: 1, line: 3, startsTold: false, editorSeen: true }],
    [
      'prompt-start',
      '1;;unseen',
      { kind: 'prompt-start', exitCode: 1, line: undefined, startsTold: false, editorSeen: false },
    ],
    ['prompt-end', '', { kind: 'prompt-end' }],
    ['continuation', '', { kind: 'continuation' }],
    ['user-rc', '', { kind: 'user-rc' }],
    ['command-start', '4;2;{ hook; } 9>&2', { kind: 'command-start', line: 4, previousExitCode: 2 }],
    ['command-start', ';', { kind: 'command-start', line: undefined, previousExitCode: undefined }],
    ['command-end', '7', { kind: 'command-end', exitCode: 7 }],
    ['command-end', 'x', { kind: 'command-end', exitCode: undefined }],
    ['exiting', '', { kind: 'exiting', exitCode: undefined }],
    ['cwd', "'/tmp/a b'", { kind: 'cwd', cwd: '/tmp/a b' }],
    ['cwd', "'relative'", undefined],
    ['cwd', "$'/tmp/\\377'", undefined],
    ['cwd', "'/tmp", undefined],
    ['unheard-of', '', undefined],
  ])('reads %s;%s', (kind, payload, event) => {
    expect(parseShellMark({ kind, payload })).toEqual(event)
  })

  it('takes any kind and payload without throwing', () => {
    fc.assert(fc.property(fc.string(), fc.string(), (kind, payload) => void parseShellMark({ kind, payload })))
  })
})

describe('unquoteShellWord', () => {
  const WORDS = [
    '/plain/path',
    '/with space/and\ttab',
    "/it's",
    '/back\\slash',
    '/new\nline\r',
    '/\x07bell\x1b[31m',
    '/漢字/é/😀',
    '/$HOME/`id`/"',
    '/a;b&c|d~',
    '/\x7f\u0080\u009b',
    '~/x',
  ]

  it.each([
    ['${word@Q}', (word: string) => ['-c', 'echo "${1@Q}"', 'bash', word]],
    ['printf %q', (word: string) => ['-c', 'printf "%q\\n" "$1"', 'bash', word]],
  ])('reads what bash writes with %s', (_form, argv) => {
    for (const locale of ['C', 'C.UTF-8']) {
      for (const word of WORDS) {
        const quoted = execFileSync('bash', argv(word), { encoding: 'utf8', env: { LC_ALL: locale } }).slice(0, -1)
        expect(unquoteShellWord(quoted), quoted).toBe(word)
      }
    }
  })

  it('never throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (word) => void unquoteShellWord(word)))
    fc.assert(fc.property(fc.string(), (word) => void unquoteShellWord(`$'${word}'`)))
  })
})
